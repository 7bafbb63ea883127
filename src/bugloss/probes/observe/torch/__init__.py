"""How PyTorch programs are observed; ``probe`` is the way in."""
