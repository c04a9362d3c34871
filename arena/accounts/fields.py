"""Fields of the API that keep to their description to the letter."""

from typing import Any

from django.db import models
from rest_framework import serializers
from rest_framework.fields import empty


class Text(serializers.CharField):
    """A text whose length is judged as it was sent, before spaces at its ends are dropped."""

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
