"""Rule impact: what would change if the rules did, on recorded wins and on games."""
