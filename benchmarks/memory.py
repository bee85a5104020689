"""Ingest and audit a folder of logs, and print the peak of this process's resident memory as JSON."""

from __future__ import annotations

import json
import re
import resource
import sys
from pathlib import Path

from analytics.audit import audit
from analytics.corpus import opened

from .resident import pin


def peak_mb() -> float:
    """In 10^6 bytes. Where the system tells it, since the process's own program began: not what its parent held."""
    if (status := Path("/proc/self/status")).exists():
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read_text())[1]) * 1024 / 1e6
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 1e6


if __name__ == "__main__":
    pin(int(sys.argv[2]) if len(sys.argv) > 2 else None)
    with opened([sys.argv[1]]) as store:
        games, result = store.n_rows("games"), audit(store)
    print(json.dumps({"games": games, "wins": result.wins, "peak_mb": peak_mb()}))
