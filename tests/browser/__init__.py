"""Tests in a real JupyterLab, in Chromium without a window."""
