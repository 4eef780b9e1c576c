"""What belongs to the reader at work: the notebook's session, and the progress made."""
