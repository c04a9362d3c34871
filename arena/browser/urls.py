from django.urls import path

from arena.browser import views

urlpatterns = [path("engine/<slug:name>/<str:file>", views.engine_file, name="engine-file")]
