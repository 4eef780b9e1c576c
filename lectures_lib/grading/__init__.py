"""From solved notebooks to what students and teachers get."""
