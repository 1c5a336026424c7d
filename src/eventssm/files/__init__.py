"""Files with recordings, in and out."""
