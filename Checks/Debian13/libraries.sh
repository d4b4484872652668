#!/usr/bin/env bash
# libraries.sh FOLDER: unpacks Debian 13's C libraries into a folder, and nothing into the system.
# apt has a configuration of its own, whose mirror is the machine's.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
release=trixie
packages=(libc6 libnghttp2-14 libsqlite3-0 libssl3t64 openssl openssl-provider-legacy libsodium23 libstdc++6 libgcc-s1 zlib1g libzstd1)
# Of PostgreSQL's library, and what that needs.
packages+=(libpq5 libldap2 libsasl2-2 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0 libcom-err2 libkeyutils1
  libgnutls30t64 libp11-kit0 libidn2-0 libunistring5 libtasn1-6 libnettle8t64 libhogweed6t64 libgmp10 libffi8)

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
apt=$folder/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" >"$apt/sources.list"
options=(
  -o "Dir::Etc::sourcelist=$apt/sources.list" -o "Dir::Etc::sourceparts=-" -o "Dir::State::lists=$apt/lists"
  -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives" -o "Dir::State::status=/dev/null"
  -o "APT::Sandbox::User=root" -o "Debug::NoLocking=1")
apt-get "${options[@]}" update -qq
(cd "$apt/archives" && apt-get "${options[@]}" download -qq "${packages[@]}")
for package in "$apt"/archives/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
rm -rf "$apt"
