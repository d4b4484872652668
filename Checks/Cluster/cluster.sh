#!/usr/bin/env bash
# 2 minutes
# Holds manifests, alerts and dashboard against Kubernetes' schemas, promtool and a worker's metrics; runs their proxy.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SEALEDPUSH_STRICT=1  # The build of Scripts/test.
Scripts/prepare
python=.build/oracles/bin/python

# Debian's packages of both would start servers: they are only unpacked.
source Checks/systems.sh
tools=.build/cluster
[ -x $tools/prometheus/usr/bin/promtool ] || unpack bookworm $tools/prometheus prometheus
[ -x $tools/nginx/usr/sbin/nginx ] || unpack bookworm $tools/nginx nginx
"$python" Checks/Cluster/alerts.py $tools/prometheus/usr/bin/promtool

swift build --product sealpush
swift build --product sealpushd
bin=$(swift build --show-bin-path)
"$python" Checks/Cluster/metrics.py "$bin"
"$python" Checks/Cluster/manifests.py "$bin"
"$python" Checks/Cluster/proxy.py "$bin" $tools/nginx/usr/sbin/nginx
