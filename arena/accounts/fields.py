"""API fields that do exactly what their description says."""

from typing import Any

from django.db import models
from rest_framework import serializers
from rest_framework.fields import empty


class Text(serializers.CharField):
    """A text whose length is checked as sent, before whitespace is trimmed."""

    def run_validation(self, data: Any = empty) -> Any:
        if isinstance(data, str) and self.max_length is not None and len(data) > self.max_length:
            message = self.error_messages["max_length"].format(max_length=self.max_length)
            raise serializers.ValidationError(message, code="max_length")
        return super().run_validation(data)


TEXTS = {
    **serializers.ModelSerializer.serializer_field_mapping,
    models.CharField: Text,
    models.TextField: Text,
}
"""For `serializer_field_mapping`."""
