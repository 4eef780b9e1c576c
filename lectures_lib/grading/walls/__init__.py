"""What shuts a student's code in, and the line to it: nothing here gives points."""
