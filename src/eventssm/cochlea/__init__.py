"""A silicon cochlea in software: sound to events, by the chain that made SHD and SSC."""
