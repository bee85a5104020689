"""One module per engine; each gives the same wins and logs to its engine in the way the engine wants them."""
