#!/bin/sh
# Tries the containers with a real Docker engine: the image is built and assesses
# as uid 1000 with nothing but seccomp=unconfined, --executor docker does the
# same through the engine's API, and the Compose file is started and used.
#
#   make containers        as root, on Debian; no image registry is asked
#
# The engine is one of its own, in a directory that is removed at the end, with
# images made from Debian's packages and the Go that is installed here. What is
# on the machine already is left alone.
set -eu

here=$(cd -- "$(dirname -- "$0")" && pwd)
top=$(cd -- "$here/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/mcpsf-containers.XXXXXX")
export DOCKER_HOST="unix://$work/docker.sock" MCPSF_DOCKER_IMAGE=mcpsf:try
export DOCKER_CONFIG="$work/config" DOCKER_BUILDKIT=0 COMPOSE_PROJECT_NAME=mcpsf-try
engine=

step() { printf '\n== %s\n' "$*"; }

finish() {
  status=$?
  set +e
  if [ -n "$engine" ]; then
    [ -x "$top/.bin/docker-compose" ] && compose down -v --timeout 10 >/dev/null 2>&1
    docker ps -aq | xargs -r docker rm -f >/dev/null 2>&1
    kill "$engine"
    wait "$engine" 2>/dev/null
  fi
  umount "$work"/root/overlay2/*/merged 2>/dev/null
  rm -rf -- "$work"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

compose() { "$top/.bin/docker-compose" -f "$work/deploy/compose.yaml" --env-file "$work/env" "$@"; }

# expect CODE COMMAND... runs a command that has to end with a code.
expect() {
  want=$1
  shift
  got=0
  "$@" || got=$?
  [ "$got" -eq "$want" ] || { echo "exit code $got, want $want: $*" >&2; exit 1; }
}

step "an engine of our own"
command -v dockerd >/dev/null && command -v debootstrap >/dev/null ||
  { apt-get update -q && apt-get install -y -q --no-install-recommends docker.io debootstrap; }
mkdir -p "$DOCKER_CONFIG"
dockerd --host "$DOCKER_HOST" --data-root "$work/root" --exec-root "$work/exec" --pidfile "$work/pid" >"$work/dockerd.log" 2>&1 &
engine=$!
n=0
until docker info >/dev/null 2>&1; do
  n=$((n + 1))
  [ $n -lt 60 ] || { tail -20 "$work/dockerd.log" >&2; exit 1; }
  sleep 1
done
docker version --format 'engine {{.Server.Version}}'

step "a base from Debian's packages"
. /etc/os-release
debootstrap --variant=minbase --include=ca-certificates "$VERSION_CODENAME" "$work/base" >"$work/debootstrap.log" ||
  { tail -5 "$work/debootstrap.log" >&2; exit 1; }
# Certificates that this machine trusts, which may have a proxy's among them.
cp -L /etc/ssl/certs/ca-certificates.crt "$work/base/etc/ssl/certs/ca-certificates.crt"
cp /usr/local/share/ca-certificates/*.crt "$work/base/usr/local/share/ca-certificates/" 2>/dev/null || true
tar -C "$work/base" -c . | docker import - local/debian:try
mkdir -p "$work/base/usr/local"
cp -a "$(go env GOROOT)" "$work/base/usr/local/go"
tar -C "$work/base" -c . | docker import --change 'ENV PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin' - local/go:try
rm -rf -- "$work/base"

step "the image"
docker build -q -f "$top/deploy/Dockerfile" --build-arg BUILDER=local/go:try --build-arg BASE=local/debian:try \
  --build-arg GOPROXY="$(go env GOPROXY)" --build-arg VERSION=try -t mcpsf:try "$top"
docker image inspect mcpsf:try --format 'size {{.Size}}, user {{.Config.User}}'

step "an assessment as uid 1000 with seccomp=unconfined and nothing else"
for example in thief-node:1 notes-node:0 thief-python:1; do
  docker create --name try --user 1000:1000 --security-opt seccomp=unconfined mcpsf:try \
    assess /data/server --profile safe --format timeline --output /data/out >/dev/null
  docker cp -q "$top/examples/${example%:*}" try:/data/server 2>/dev/null || docker cp "$top/examples/${example%:*}" try:/data/server
  expect "${example#*:}" docker start -a try >"$work/said" 2>&1
  tail -1 "$work/said"
  docker rm -fv try >/dev/null
done

step "--executor docker"
for example in thief-node:1 notes-python:0; do
  expect "${example#*:}" "$top/bin/mcpsf" assess "$top/examples/${example%:*}" --profile safe --executor docker --output "$work/report" >"$work/said" 2>"$work/err"
  tail -1 "$work/said"
  "$top/bin/mcpsf" verify "$work/report/evidence.tar.zst" | tail -1
  rm -rf -- "$work/report"
done
[ -z "$(docker ps -aq)" ] || { echo "containers are left:" >&2; docker ps -a >&2; exit 1; }

step "Compose"
docker build -q --build-arg BASE=local/debian:try -t local/postgres:try "$here/postgres"
sed -e 's/^MCPSF_IMAGE=.*/MCPSF_IMAGE=mcpsf:try/' -e 's/^POSTGRES_IMAGE=.*/POSTGRES_IMAGE=local\/postgres:try/' \
  -e 's/^MCPSF_PUBLISH=.*/MCPSF_PUBLISH=127.0.0.1:18080/' -e 's/^MCPSF_PUBLIC_URL=.*/MCPSF_PUBLIC_URL=http:\/\/127.0.0.1:18080/' \
  "$top/deploy/.env.example" >"$work/env"
mkdir "$work/deploy"
cp "$top/deploy/compose.yaml" "$work/deploy/"
"$top/deploy/secrets.sh" "$work/deploy/secrets"
compose up -d --no-build --wait --wait-timeout 180 --scale worker=2
compose ps --format 'table {{.Service}}\t{{.Status}}'
MCPSF_API_KEY=$(compose exec -T server mcpsf serve keys add --project default --name try --role admin | grep -o 'mcpsf_[A-Za-z0-9_-]*' | head -1)
export MCPSF_API_KEY MCPSF_API_URL=http://127.0.0.1:18080
for example in thief-node:1 notes-node:0; do
  expect "${example#*:}" "$top/bin/mcpsf" assess "$top/examples/${example%:*}" --profile safe --executor cloud --output "$work/report" >"$work/said" 2>"$work/err"
  tail -1 "$work/said"
  rm -rf -- "$work/report"
done
compose down -v --timeout 10 >/dev/null 2>&1

step "all of it works"
