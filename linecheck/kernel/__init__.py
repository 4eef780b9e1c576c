"""The kernel: facts, the rules that make them, and the replay that alone may say PROVED."""
