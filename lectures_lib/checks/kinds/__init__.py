"""The kinds of answers that can be asked for, each with the way it is judged."""
