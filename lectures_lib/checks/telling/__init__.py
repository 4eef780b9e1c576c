"""What a reader is told: as data, as text, as a page."""
