"""Lists are paginated by cursor, so that pages stay correct while rows are added."""

from typing import Any

from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request


class Cursor(CursorPagination):
    ordering = "-id"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
    invalid_cursor_message = "This cursor is invalid. Start again without one."

    def get_page_size(self, request: Request) -> int | None:
        """Return the requested page size; an invalid one is refused, not ignored."""
        asked = request.query_params.get("page_size")
        if asked is not None and not (asked.isascii() and asked.isdecimal() and 0 < int(asked[:9]) <= 200):
            raise ValidationError({"page_size": ["Enter a whole number from 1 to 200."]})
        return super().get_page_size(request)

    def decode_cursor(self, request: Request) -> Any:
        """Return the cursor of a request; every list goes by a whole number, so a position is one."""
        cursor = super().decode_cursor(request)
        position = None if cursor is None or cursor.position is None else str(cursor.position)
        if position is not None and not (position.isascii() and position.isdecimal() and len(position) < 19):
            raise NotFound(self.invalid_cursor_message)
        return cursor

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """Return what a view says that its pages go by, of which it has an index; ids otherwise."""
        return (getattr(view, "paged_by", self.ordering),)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == "page_size":
                parameter["schema"] |= {"minimum": 1, "maximum": self.max_page_size}
        return parameters
