"""The files in deploy/: what they promise an operator, as far as can be seen without a cluster.

The chart is rendered where `helm_python` is installed: helm-python-sdk has Helm's own library of
85 MB, too large for the lock.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from schema.settings import Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
CHART = DEPLOY / "helm" / "quire"


def _render(**values: Any) -> list[dict[str, Any]]:
    helm = pytest.importorskip("helm_python")
    with helm.Chart.load(CHART) as chart:
        rendered = chart.render(values, name="team")
    return [one for text in rendered.values() for one in yaml.safe_load_all(text) if one]


def test_the_image_runs_as_nobody_special() -> None:
    said = (DEPLOY / "Dockerfile").read_text()
    assert re.search(r"^USER 10001", said, re.MULTILINE)
    assert "HEALTHCHECK" in said


def test_every_service_of_ours_is_read_only_and_without_privileges() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name in ("migrate", "web", "worker"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
    assert services["web"]["ports"] == ["127.0.0.1:8000:8000"]


def test_no_secret_stands_in_a_file() -> None:
    for path in DEPLOY.rglob("*"):
        if path.is_file():
            assert not re.search(
                r"(?i)(password|secret|token|key):\s*[^\s{/\[]*[a-z0-9]{12,}", path.read_text()
            )


def test_settings_of_the_chart_are_settings() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    known = {f"QUIRE_{name.upper()}" for name in Settings.model_fields}
    assert set(values["settings"]) <= known


def test_rendered_pods_are_not_root_and_read_only() -> None:
    found = {one["kind"]: one for one in _render(ingress={"enabled": True})}
    assert {"Deployment", "Service", "Ingress", "NetworkPolicy", "PodDisruptionBudget"} <= set(
        found
    )
    for one in _render():
        if one["kind"] == "Deployment":
            pod = one["spec"]["template"]["spec"]
            assert pod["securityContext"]["runAsNonRoot"] is True
            for container in [*pod["containers"], *pod.get("initContainers", [])]:
                assert container["securityContext"]["readOnlyRootFilesystem"] is True
                assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
                assert container["image"] == "quire:0.1.0"
