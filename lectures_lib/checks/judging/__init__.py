"""What came back is compared with what was expected."""
