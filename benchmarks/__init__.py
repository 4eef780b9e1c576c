"""Side by side with the libraries a user would otherwise pick. Run by `course.py bench`."""
