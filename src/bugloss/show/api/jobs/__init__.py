"""Jobs: requests for a verb, the command line that each becomes, and the processes that run them."""
