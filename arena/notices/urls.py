from django.urls import path

from arena.notices import views

urlpatterns = [
    path("accounts/notices", views.notices, name="notices"),
    path("webhooks/", views.webhook_list, name="webhooks"),
    path("webhooks/<int:pk>/delete", views.delete_webhook, name="delete-webhook"),
]
