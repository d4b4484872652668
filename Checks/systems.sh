# Debian systems to try things on, apart from the machine's own. Checks source this file as root.

# need PACKAGE …: installs the packages that this machine lacks.
need() {
  local package wanted=()
  for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || wanted+=("$package")
  done
  [ ${#wanted[@]} -gt 0 ] || return 0
  echo "installing ${wanted[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends \
    "${wanted[@]}" >/dev/null
}

# within ROOT COMMAND…: runs a command in another file system, with /proc, because Swift reads a program's arguments
# there. The mount ends with the command.
within() { unshare --mount sh -c 'mount --bind /proc "$0/proc" && exec env -u TMPDIR chroot "$0" "$@"' "$@"; }

# unpack SUITE FOLDER PACKAGE…: unpacks packages of a Debian release into a folder; the system stays as it is. apt gets its
# own configuration, with the machine's mirror.
unpack() {
  local suite=$1 folder apt mirror options package
  folder=$(mkdir -p "$2" && cd "$2" && pwd)
  shift 2
  apt=$folder.apt
  mkdir -p "$apt/lists/partial" "$apt/archives/partial"
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$apt/sources.list"
  options=(
    -o "Dir::Etc::sourcelist=$apt/sources.list" -o "Dir::Etc::sourceparts=-" -o "Dir::State::lists=$apt/lists"
    -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives" -o "Dir::State::status=/dev/null"
    -o "APT::Sandbox::User=root" -o "Debug::NoLocking=1")
  apt-get "${options[@]}" update -qq
  (cd "$apt/archives" && apt-get "${options[@]}" download -qq "$@")
  for package in "$apt"/archives/*.deb; do dpkg-deb -x "$package" "$folder"; done
  rm -rf "$apt"
}

# bare SUITE FOLDER: makes a folder with a bare Debian, and keeps a copy for the next time. It uses this machine's
# mirror.
bare() {
  local kept=.build/roots/$1.tar log=$2.log mirror
  if ! [ -f "$kept" ]; then
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | grep -v security |
      head -n 1)
    debootstrap --variant=minbase "$1" "$2" "$mirror" >"$log" || { tail -n 5 "$log" >&2; return 1; }
    mkdir -p .build/roots
    tar -C "$2" --one-file-system -cf "$kept" .
  else
    mkdir "$2"
    tar -C "$2" -xf "$kept"
  fi
}
