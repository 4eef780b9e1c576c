"""The kernel: facts, the rules that make them, and the replay that alone may say PROVED.

Beside its own files it trusts the terms: `language.domains` and `language.terms`, and of `expand`
`graph`, `needs` and `problem`. What search proposes is multiplied out, or evaluated on both sides.
"""
