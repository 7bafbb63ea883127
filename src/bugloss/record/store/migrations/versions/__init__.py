"""Steps of the schema, each named for its number and what it adds."""
