"""The benchmark: Koyaku beside other engines and log readers, in the same run on the same core."""
