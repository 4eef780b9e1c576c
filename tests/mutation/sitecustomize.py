"""Started by every Python whose PYTHONPATH holds this folder."""

import os

if os.environ.get("TOUCHED"):
    import touched

    touched.start()
