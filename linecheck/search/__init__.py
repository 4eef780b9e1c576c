"""Looking for a point where a step fails, with exact and interval arithmetic."""
