from django.urls import path

from arena.pages import views

urlpatterns = [path("", views.home, name="home")]
