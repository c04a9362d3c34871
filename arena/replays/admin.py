from django.contrib import admin

from arena.replays.models import WinChances


@admin.register(WinChances)
class WinChancesAdmin(admin.ModelAdmin):
    list_display = ["match", "playouts", "created_at"]
    raw_id_fields = ["match"]
