"""The manifests are valid by Kubernetes' own schemas, fit together, and keep match hosts apart."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

FOLDER = Path(__file__).parents[2] / "deploy" / "kubernetes"
KUSTOMIZATION: dict[str, Any] = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
VERSION = "1.33"
"""Of Kubernetes: the first in which `hostUsers` and `procMount` are on by default."""
OBJECTS: list[dict[str, Any]] = [
    one for name in KUSTOMIZATION["resources"] for one in yaml.safe_load_all((FOLDER / name).read_text())
]
# KEDA's own kind, which Kubernetes has no schema for.
STANDARD = [one for one in OBJECTS if one["kind"] != "ScaledObject"]
TEMPLATES = {
    one["metadata"]["name"]: one["spec"]["template"] for one in OBJECTS if "template" in one.get("spec", {})
}


def name_of(value: dict[str, Any]) -> str:
    return f"{value['kind']}-{value['metadata']['name']}"


def containers() -> list[tuple[str, dict[str, Any]]]:
    return [(name, one) for name, template in TEMPLATES.items() for one in template["spec"]["containers"]]


@pytest.mark.parametrize("manifest", STANDARD, ids=name_of)
def test_a_manifest_is_valid(manifest: dict[str, Any]) -> None:
    kubernetes_validate.validate(manifest, VERSION, strict=True)


@pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl is not installed")
def test_what_kubectl_renders_is_valid() -> None:
    """Kustomize itself puts it together: names, namespace, images and the generated settings."""
    done = subprocess.run(["kubectl", "kustomize", str(FOLDER)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rendered = list(yaml.safe_load_all(done.stdout))
    assert len(rendered) == len(OBJECTS) + 1  # and the settings
    for one in rendered:
        if one["kind"] != "ScaledObject":
            kubernetes_validate.validate(one, VERSION, strict=True)
        if one["kind"] != "Namespace":
            assert one["metadata"]["namespace"] == "aztlan"


def test_the_arena_starts_with_the_settings_of_the_manifests() -> None:
    [generated] = KUSTOMIZATION["configMapGenerator"]
    secrets = {
        "SECRET_KEY": "0123456789" * 6,
        "DATABASE_URL": "postgresql://arena:secret@db.example/arena",
        "REDIS_URL": "redis://:secret@redis:6379/0",
        "ARENA_HOST_KEY": "a secret of hosts",
        "ARENA_METRICS_TOKEN": "a third secret",
    }
    given = dict(literal.split("=", 1) for literal in generated["literals"]) | secrets
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        env={**os.environ, **given},
        cwd=FOLDER.parents[1],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_every_file_is_applied() -> None:
    files = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}
    assert files == set(KUSTOMIZATION["resources"])


@pytest.mark.parametrize(
    ("name", "container"), containers(), ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_container_is_pinned_limited_and_without_rights(name: str, container: dict[str, Any]) -> None:
    tags = {image["name"]: image["newTag"] for image in KUSTOMIZATION["images"]}
    assert container["image"] in tags or container["image"].count(":") == 1
    assert container["resources"]["limits"]["memory"]
    assert container["resources"]["requests"]["cpu"]
    security = container["securityContext"]
    assert security["allowPrivilegeEscalation"] is False
    assert security["readOnlyRootFilesystem"] is True
    assert security["capabilities"] == {"drop": ["ALL"]}
    pod = TEMPLATES[name]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    claimed = {one["metadata"]["name"] for one in OBJECTS if one["kind"] == "PersistentVolumeClaim"}
    assert mounted - {volume["name"] for volume in pod.get("volumes", [])} <= claimed | {"data"}


@pytest.mark.parametrize("name", ["web", "worker", "calls", "heavy", "host", "redis"])
def test_what_serves_is_probed(name: str) -> None:
    [container] = TEMPLATES[name]["spec"]["containers"]
    assert "livenessProbe" in container


def test_each_queue_has_the_worker_that_make_up_starts() -> None:
    from arena.up.programs import ARENA_WORKER, CALLS_WORKER, HEAVY_WORKER

    for name, words in (("worker", ARENA_WORKER), ("calls", CALLS_WORKER), ("heavy", HEAVY_WORKER)):
        [container] = TEMPLATES[name]["spec"]["containers"]
        assert " ".join(container["command"]) == words


def test_services_policies_and_budgets_select_pods_that_exist() -> None:
    labels = [template["metadata"]["labels"] for template in TEMPLATES.values()]
    for one in OBJECTS:
        spec = one.get("spec", {})
        selector = spec.get("podSelector", {}).get("matchLabels")
        selector = spec.get("selector") if one["kind"] == "Service" else selector
        if selector:
            assert any(selector.items() <= pod.items() for pod in labels), name_of(one)


def test_match_hosts_reach_redis_and_the_arena_and_nothing_else() -> None:
    [policy] = [one["spec"] for one in OBJECTS if name_of(one) == "NetworkPolicy-host"]
    assert policy["podSelector"]["matchLabels"].items() <= TEMPLATES["host"]["metadata"]["labels"].items()
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in policy
    reached = {
        (next(iter(to["podSelector"]["matchLabels"].values())), rule["ports"][0]["port"])
        for rule in policy["egress"]
        for to in rule["to"]
        if "podSelector" in to
    }
    assert reached == {("redis", 6379), ("web", 8000)}
    [names] = [rule for rule in policy["egress"] if "podSelector" not in rule["to"][0]]
    assert {port["port"] for port in names["ports"]} == {53}
    [everybody] = [one["spec"] for one in OBJECTS if name_of(one) == "NetworkPolicy-nobody"]
    assert everybody == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def test_match_hosts_are_given_no_secret_of_the_arenas() -> None:
    [container] = TEMPLATES["host"]["spec"]["containers"]
    assert container["envFrom"] == [{"secretRef": {"name": "host"}}]
    assert not {"DATABASE_URL", "SECRET_KEY"} & {one["name"] for one in container["env"]}


def test_match_hosts_are_scaled_by_what_waits_and_runs() -> None:
    [scaled] = [one["spec"] for one in OBJECTS if one["kind"] == "ScaledObject"]
    assert scaled["scaleTargetRef"]["name"] in TEMPLATES
    [trigger] = scaled["triggers"]
    assert "arena_attempts_open" in trigger["metadata"]["query"]
    [container] = TEMPLATES["host"]["spec"]["containers"]
    assert container["command"][-2:] == ["-c", trigger["metadata"]["threshold"]]


def test_a_match_host_is_given_the_time_to_drain() -> None:
    assert TEMPLATES["host"]["spec"]["terminationGracePeriodSeconds"] >= 50 + 30
