"""The ten edit actions, one file each."""
