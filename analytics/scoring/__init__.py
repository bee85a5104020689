"""The engine: hands to readings to facts to patterns to scores, for any number of rulesets at once."""
