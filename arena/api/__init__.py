"""The REST API as a whole: addresses, errors, paging, limits, documents. An app's part is its `api.py`."""
