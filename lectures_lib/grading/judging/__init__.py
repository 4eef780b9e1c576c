"""One submission: its worker is asked, its answers are judged."""
