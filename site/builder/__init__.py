"""What turns the course into the source of a web site."""
