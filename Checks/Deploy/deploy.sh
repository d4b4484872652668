#!/usr/bin/env bash
# 20 minutes
# Builds the image of deploy/, runs the unit under systemd and the compose file with podman, all by Workers.md's commands.
# Scripts/check deploy [image] [unit] [compose]
# It needs root. Without arguments it tries every part. What it makes stays in .build/deploy.
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "this check boots a system and runs containers, so it needs root" >&2; exit 77; }
# Its mounts end with this script.
[ -n "${SEALEDPUSH_MOUNTS:-}" ] || SEALEDPUSH_MOUNTS=own exec unshare --mount "$0" "$@"
unset TMPDIR

source Checks/systems.sh
source Checks/Deploy/journey
source Checks/Deploy/images
need debootstrap buildah podman runc netavark aardvark-dns iptables iproute2 systemd-container git curl openssl \
  python3-venv
mkdir -p .build/deploy
work=$(mktemp -d -p "$PWD/.build/deploy")
trap 'podman rm --all --force >/dev/null; buildah rm --all >/dev/null; rm -rf "$work"' EXIT
parts=" ${*:-image unit compose} "

# commands HEADING: prints the commands below a heading of Workers.md, up to the next heading.
commands() {
  awk -v heading="$1" '!code && /^##/ { on = $0 == heading } on && /^```/ { code = !code && /^```bash/; next } on && code' \
    Documentation/Operating/Workers.md
}

say "images that stand in for a registry's"
prepare_engine
base_images

# Copies the files that git has or would add, so nothing of deploy/private.
project=$work/project
mkdir "$project"
git ls-files -z --cached --others --exclude-standard | tar --null -T - -c | tar -x -C "$project"

say "the image"
# Builds it as podman does for the compose file, which then finds these layers.
podman build --quiet -f "$project/deploy/Containerfile" -t sealpushd "$project" >/dev/null
mkdir "$work/bin"
cp "$(buildah mount "$(buildah from localhost/sealpushd)")"/usr/bin/sealpush* "$work/bin"
# sealed COMMAND…: runs the image's tool as compose.yaml does, as an ordinary user.
sealed() {
  podman run --rm --network none --user 54321:54321 --read-only --cap-drop ALL --security-opt no-new-privileges "$@"
}

if [[ $parts = *" image "* ]]; then
  sealed sealpushd --version
  sealed --entrypoint sealpush sealpushd demo | tail -n 1
  # The libraries that it links are there, and the image that runs has neither sources nor keys.
  sealed --entrypoint ldd sealpushd /usr/bin/sealpushd /usr/bin/sealpush >"$work/libraries"
  ! grep 'not found' "$work/libraries" || fail "libraries are missing"
  mkdir "$project/deploy/private"
  touch "$project/sender.jwks" "$project/deploy/private/password"
  printf 'FROM scratch\nCOPY . /\n' >"$work/Containerfile"
  buildah build --quiet -f "$work/Containerfile" -t context "$project" >/dev/null
  context=$(buildah mount "$(buildah from localhost/context)")
  echo "the build sees: $(ls -A "$context" | xargs)"
  [ -z "$(find "$context" -name '*.jwks' -o -name password)" ] || fail "the build sees keys"
  rm -r "$project/sender.jwks" "$project/deploy/private"
fi

if [[ $parts = *" unit "* ]]; then
  say "the unit, in a Debian that systemd boots"
  root=$(buildah mount "$(buildah from guest)")
  boot=$work/boot
  mkdir -p "$boot/.build/release"
  cp "$work"/bin/* "$boot/.build/release"
  cp -r deploy Checks/Deploy/guest Checks/Deploy/journey "$boot/"
  commands "## On one machine" >"$boot/commands"
  commands "### Restore a backup" >"$boot/restore"
  commands "### Rotate the sender's key" >"$boot/rotate"
  rm -f "$root/etc/hostname"
  echo "127.0.0.1 localhost" >"$root/etc/hosts"
  cat >"$root/etc/systemd/system/check.service" <<END
[Unit]
After=multi-user.target
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
ExecStart=/bin/bash /check/guest
StandardOutput=append:/check/log
StandardError=append:/check/log
END
  ln -s ../check.service "$root/etc/systemd/system/multi-user.target.wants/"
  touch "$boot/log"
  tail -f "$boot/log" &
  # It writes into /run, so it gets a /run of its own, which no other system sees.
  status=0
  unshare --mount sh -c 'mount -t tmpfs -o mode=755 run /run && exec timeout 900 systemd-nspawn --quiet --boot \
    --directory "$0" --machine sealpushd --hostname localhost --private-network --register no --keep-unit \
    --console pipe --bind "$1:/check"' "$root" "$boot" || status=$?
  sleep 1
  kill %1
  [ $status = 0 ] || fail "the guest ended with $status"
fi

if [[ $parts = *" compose "* ]]; then
  say "the compose file, with podman"
  [ -x .build/deploy/compose/bin/podman-compose ] || python3 -m venv .build/deploy/compose
  .build/deploy/compose/bin/pip install --quiet --disable-pip-version-check 'podman-compose==1.6.0'
  commands "## In containers" >"$project/commands"
  PATH=$PATH:$work/bin unshare --net bash Checks/Deploy/compose "$project"
fi
