"""The verdict on a step, and the process that can be stopped."""
