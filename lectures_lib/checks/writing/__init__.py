"""What an author writes: blocks of text, and edits that make a slip."""
