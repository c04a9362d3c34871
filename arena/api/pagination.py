"""Lists come in pages that stay right while rows are added: each page names the one after it by a cursor."""

from rest_framework.pagination import CursorPagination


class Cursor(CursorPagination):
    ordering = "-id"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
