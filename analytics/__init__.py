"""Tables to scores, audits, statistics and reports."""
