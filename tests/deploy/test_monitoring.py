"""Alerts and the dashboard ask for figures that the arena really tells."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.operations.figures import FIGURES

FOLDER = Path(__file__).parents[2] / "deploy" / "monitoring"
RULES: list[dict[str, Any]] = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"][0]["rules"]
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "grafana-dashboard.json").read_text())
SCALING = FOLDER.parent / "kubernetes" / "host-scaling.yaml"
HTTP = {f"arena_http_request_seconds_{part}" for part in ("count", "bucket")}
KNOWN = (
    HTTP | {"arena_broker_up", "arena_queue_messages"} | {name for one in FIGURES for name, _ in one.figures}
)


def labels_of(name: str) -> set[str]:
    if name in HTTP:
        return {"method", "route", "status", "le"}
    if name == "arena_queue_messages":
        return {"queue"}
    return {label for one in FIGURES for figure, _ in one.figures if figure == name for label in one.labels}


def expressions() -> list[str]:
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    [trigger] = yaml.safe_load(SCALING.read_text())["spec"]["triggers"]
    return [*panels, *(rule["expr"] for rule in RULES), trigger["metadata"]["query"]]


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_asks_for_known_figures_by_known_labels(expression: str) -> None:
    figures = set(re.findall(r"\barena_\w+", expression))
    assert figures <= KNOWN
    assert figures or "up{" in expression
    asked = {label for group in re.findall(r"by \(([^)]*)\)", expression) for label in group.split(", ")}
    asked |= set(re.findall(r"[{,]\s*(\w+)(?:=|!)", expression))
    assert asked <= set().union(*map(labels_of, figures)) | {"job", "instance"}
    assert expression.count("(") == expression.count(")")


def test_every_alert_says_what_to_do() -> None:
    for rule in RULES:
        assert {"summary", "what_to_do", "runbook"} == rule["annotations"].keys()
        page, _, section = rule["annotations"]["runbook"].partition("#")
        headings = re.findall(r"^## (\w+)$", (FOLDER.parents[1] / page).read_text(), re.MULTILINE)
        assert rule["alert"] in headings
        assert section == rule["alert"].lower()
        assert rule["labels"]["severity"] in {"page", "warn"}
        assert re.fullmatch(r"\d+m", rule["for"])
    assert len({rule["alert"] for rule in RULES}) == len(RULES)


def test_panels_have_their_own_numbers_and_places() -> None:
    panels = DASHBOARD["panels"]
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}
    assert len(places) == len({panel["id"] for panel in panels}) == len(panels)


def test_grafana_finds_the_dashboard_and_the_figures_when_it_starts() -> None:
    services = yaml.safe_load((FOLDER.parent / "compose.monitoring.yaml").read_text())["services"]
    targets = {}
    for volume in services["grafana"]["volumes"]:
        source, target = volume.split(":")[:2]
        assert not source.startswith(".") or (FOLDER.parent / source).exists()
        targets[target] = source
    [provider] = yaml.safe_load((FOLDER / "grafana/dashboards/aztlan.yml").read_text())["providers"]
    assert f"{provider['options']['path']}/aztlan.json" in targets
    [source] = yaml.safe_load((FOLDER / "grafana/datasources/prometheus.yml").read_text())["datasources"]
    assert source["url"] == "http://prometheus:9090"
    assert "prometheus" in services
    assert {"/etc/grafana/provisioning/dashboards", "/etc/grafana/provisioning/datasources"} <= targets.keys()


def test_prometheus_asks_every_web_server_of_the_compose_file() -> None:
    services = yaml.safe_load((FOLDER.parent / "compose.yaml").read_text())["services"]
    [job] = yaml.safe_load((FOLDER / "prometheus.yml").read_text())["scrape_configs"]
    [group] = job["static_configs"]
    assert set(group["targets"]) == {f"{name}:8000" for name in services if name.startswith("web")}
