"""Many submissions: on this machine or on others, and the record of what was graded."""
