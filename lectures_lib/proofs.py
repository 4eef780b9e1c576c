"""The former name of `linecheck`, for one version: copies made before import it."""

from linecheck import Derivation, verdict

__all__ = ["Derivation", "verdict"]
