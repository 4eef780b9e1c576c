"""Small faults put into the library, to see whether the tests notice.

`touched` records which test calls which function; `drawn` draws the faults; `run` judges them and
writes the table, `tests/mutation/table.txt`.
"""
