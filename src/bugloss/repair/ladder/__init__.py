"""The steps by which a patch is validated: each takes values and returns a ``RungResult``; none runs anything."""
