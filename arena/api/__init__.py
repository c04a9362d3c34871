"""The REST API as a whole: its addresses, errors, pages, limits and documentation. Each app's part is its `api.py`."""
