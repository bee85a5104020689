"""One function per yaku: a sentence about columns. Importing the package registers them all."""

from . import circumstance, composition, honours, runs, shapes, triplets  # noqa: F401
