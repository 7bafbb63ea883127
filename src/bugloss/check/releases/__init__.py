"""The API of each release of a library, and where a program uses what its release does not have."""
