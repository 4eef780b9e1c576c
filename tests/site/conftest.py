"""The built site, for the tests here."""

from tests.built_site import built_site

__all__ = ["built_site"]
