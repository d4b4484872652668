"""manifests.py BIN: the manifests of deploy/kubernetes are what Kubernetes takes, and run the tool as this project wants.

They are held against Kubernetes' own schemas, in which no member may be misspelt, of an old version and of the newest that
the package kubernetes-validate has; first it is tried whether a misspelt member is noticed. Nobody runs them here.
"""
import copy, pathlib, subprocess, sys

import kubernetes_validate
from ruamel.yaml import YAML

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import ROOT, check, end

OLDEST = "1.30"
FILES = sorted((ROOT / "deploy/kubernetes").glob("*.yaml"))


def read(path):
    """A file's manifests, in which 0440 is octal, as Kubernetes reads it."""
    reader = YAML(typ="safe")
    reader.version = (1, 1)
    return list(reader.load_all(path))


def faults(document, version):
    """What the schema says against a manifest; empty if nothing."""
    try:
        kubernetes_validate.validate(document, version, strict=True)
    except (kubernetes_validate.ValidationError, kubernetes_validate.SchemaNotFoundError) as error:
        return str(error.message)
    return ""


def check_schemas(documents):
    versions = [OLDEST, kubernetes_validate.latest_version()]
    for name, document in documents:
        for version in versions:
            fault = faults(document, version)
            check(f"{name}: {document['kind']} for Kubernetes {version}", not fault, fault)
    planted = copy.deepcopy(next(document for _, document in documents if document["kind"] == "Deployment"))
    pod = planted["spec"]["template"]["spec"]
    pod["securityContext"]["runAsNonroot"] = pod["securityContext"].pop("runAsNonRoot")
    check("a misspelt member is noticed", all(faults(planted, version) for version in versions))
    planted = copy.deepcopy(planted)
    planted["spec"]["replicas"] = "two"
    check("a value of another type is noticed", faults(planted, OLDEST))


def seconds(text):
    return int(text.removesuffix("s"))


def option(container, name):
    """The value of an option; None without it."""
    return next((word.split("=", 1)[1] for word in container.get("args", []) if word.startswith(f"--{name}=")), None)


def check_pod(name, spec):
    """Checks that a pod has no rights but those that it needs."""
    pod = spec["template"]["spec"]
    context, own = pod["securityContext"], f"{name}: the pod"
    check(f"{own} runs as nobody in particular", context["runAsNonRoot"] and context["runAsUser"] > 0)
    check(f"{own}'s group reads the mounted secrets", context["fsGroup"] == context["runAsGroup"])
    check(f"{own} has the runtime's seccomp profile", context["seccompProfile"] == {"type": "RuntimeDefault"})
    check(f"{own} has no token of the cluster", pod["automountServiceAccountToken"] is False)
    check(f"{own} is spread", pod["topologySpreadConstraints"])
    check(f"{own} is one of two", spec["replicas"] == 2)
    for volume in pod["volumes"]:
        if "secret" in volume:
            # The tool refuses a file that others may read, and one that its group may write.
            check(f"{name}: {volume['name']} is read by the group alone", volume["secret"]["defaultMode"] == 0o440)
    for container in pod["containers"]:
        check_container(name, pod, container)


def check_container(name, pod, container):
    own, context = f"{name}: {container['name']}", container["securityContext"]
    check(f"{own} gains nothing", context["allowPrivilegeEscalation"] is False)
    check(f"{own} has no capability", context["capabilities"] == {"drop": ["ALL"]})
    check(f"{own} writes no file of the image", context["readOnlyRootFilesystem"] is True)
    check(f"{own} has a limit of memory, and asks for some of the processor",
          "memory" in container["resources"]["limits"] and "cpu" in container["resources"]["requests"])
    for mount in container["volumeMounts"]:
        check(f"{own} cannot write {mount['name']}", mount.get("readOnly") or mount["name"] == "temporary")
    if "args" not in container:
        return
    check(f"{own} has no password among its words", not any("password" in word for word in container["args"]))
    delay = int(container.get("lifecycle", {}).get("preStop", {"exec": {"command": ["", "0"]}})["exec"]["command"][1])
    within = seconds(option(container, "stop-within") or "5s")
    check(f"{own} is not killed while it stops", pod["terminationGracePeriodSeconds"] >= within + delay + 10)
    place = option(container, "listen") if container["args"][0] == "work" else option(container, "probes")
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    for probe, path in (("startupProbe", "/healthz"), ("livenessProbe", "/healthz"), ("readinessProbe", "/readyz")):
        get = container[probe]["httpGet"]
        check(f"{own}: {probe} asks where it listens", get["path"] == path and place == f"0.0.0.0:{ports[get['port']]}")


def check_words(daemon, name, container):
    """Checks that the tool takes the words: without the files, something else is wrong than an option."""
    purpose, *words = container["args"]
    page = subprocess.run([daemon, purpose, "--help"], capture_output=True, text=True).stdout
    for word in words:
        check(f"{name}: sealpushd {purpose} has {word}", f"\n  {word.split('=')[0]} " in page)
    done = subprocess.run([daemon, "check", "--offline", "--json", *words], capture_output=True, text=True)
    check(f"{name}: sealpushd check takes the options", done.returncode not in (0, 64), done.stderr)


def main(bin):
    documents = [(path.name, document) for path in FILES for document in read(path)]
    check("there are manifests", len(documents) > 5)
    check_schemas(documents)
    workloads = [(name, document) for name, document in documents if document["kind"] == "Deployment"]
    budgets = [document["spec"]["selector"] for _, document in documents if document["kind"] == "PodDisruptionBudget"]
    for name, document in workloads:
        spec = document["spec"]
        check(f"{name}: a drain takes one pod at a time", spec["selector"] in budgets)
        check(f"{name}: the pods are the deployment's",
              spec["selector"]["matchLabels"].items() <= spec["template"]["metadata"]["labels"].items())
        check_pod(name, spec)
        for container in spec["template"]["spec"]["containers"]:
            if "args" in container:
                check_words(pathlib.Path(bin) / "sealpushd", name, container)
    end(least=60)


main(sys.argv[1])
