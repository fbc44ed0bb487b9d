#!/bin/sh
# Makes the secrets of compose.yaml in deploy/secrets. Those that are there
# already stay as they are: another secret could not decrypt what this one encrypted.
#
#   mcpsf_secret       encrypts variables of jobs and signs sessions
#   postgres_password  of the user mcpsf
#   pgpass             the same, as clients of PostgreSQL read it
set -eu

dir=${1:-$(dirname -- "$0")/secrets}
umask 077
mkdir -p -- "$dir"

# make NAME writes what it is given to a file that is not there yet.
make() {
  if [ -e "$dir/$1" ]; then
    cat >/dev/null
    return
  fi
  cat >"$dir/.$1.part"
  mv -- "$dir/.$1.part" "$dir/$1"
}

head -c 32 /dev/urandom | base64 | make mcpsf_secret
head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n' | make postgres_password
printf 'postgres:5432:mcpsf:mcpsf:%s\n' "$(cat -- "$dir/postgres_password")" | make pgpass

# Compose shows the files to the containers as they are, and these are not root.
# On this machine nobody else gets into the directory.
chmod 0700 -- "$dir"
chmod 0444 -- "$dir/mcpsf_secret" "$dir/postgres_password" "$dir/pgpass"
printf 'the secrets are in %s; keep a copy of mcpsf_secret apart from the backups\n' "$dir"
