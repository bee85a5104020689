"""Replay logs to tables: one file per source, one vocabulary for all of them."""
