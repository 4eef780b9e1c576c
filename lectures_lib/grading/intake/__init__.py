"""What was handed in: found, read as data, put onto the notebook of the course."""
