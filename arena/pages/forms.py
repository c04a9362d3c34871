"""How forms are drawn, on every page alike."""

from django.forms.renderers import TemplatesSetting


class Renderer(TemplatesSetting):
    form_template_name = "pages/form.html"
    field_template_name = "pages/field.html"
