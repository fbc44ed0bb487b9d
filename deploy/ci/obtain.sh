#!/bin/sh
# Puts the program mcpsf on the PATH of the steps that follow.
#
#   MCPSF_GET_URL      where to download it, {version} standing for the version
#   MCPSF_GET_VERSION  the version
#   MCPSF_GET_SHA256   checksum of the download; there is none without
#   MCPSF_GET_TREE     a checkout to build it from if there is no URL
#
# Without a URL, a program that is on the PATH already is good enough.
set -eu

fail() {
  printf 'mcpsf: %s\n' "$1" >&2
  exit 2
}

# replaced puts the version where the address wants it. The shell alone does it:
# to sed, a version would be a program.
replaced() {
  rest=$1
  while :; do
    case $rest in
      *"{version}"*) printf '%s%s' "${rest%%"{version}"*}" "$2" ;;
      *) printf '%s' "$rest"; return ;;
    esac
    rest=${rest#*"{version}"}
  done
}

download() {
  case $1 in
    https://*) ;;
    *) fail "the url must begin with https://" ;;
  esac
  case $2 in
    *[!0-9a-fA-F]* | "") fail "give the sha256 of the download, 64 digits: a program that judges others is not taken on trust" ;;
  esac
  [ "${#2}" -eq 64 ] || fail "a sha256 has 64 digits"
  curl --fail --silent --show-error --location --proto '=https' --max-time 300 --output "$dir/mcpsf.part" -- "$1"
  printf '%s  %s\n' "$2" "$dir/mcpsf.part" | sha256sum --check --status || fail "the download is not the file with that sha256"
  chmod 755 "$dir/mcpsf.part"
  mv "$dir/mcpsf.part" "$dir/mcpsf"
}

build() {
  [ -f "$1/go.mod" ] || fail "there is no mcpsf on the PATH, no url to download it from and no source to build it from"
  command -v go >/dev/null 2>&1 || fail "building mcpsf needs Go: add actions/setup-go, or give url and sha256"
  (cd "$1" && CGO_ENABLED=0 go build -trimpath -o "$dir/mcpsf" ./cmd/mcpsf)
}

url=${MCPSF_GET_URL-}
if [ -z "$url" ] && command -v mcpsf >/dev/null 2>&1; then
  mcpsf version
  exit 0
fi
dir=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/mcpsf-XXXXXX")
if [ -n "$url" ]; then
  download "$(replaced "$url" "${MCPSF_GET_VERSION-}")" "${MCPSF_GET_SHA256-}"
else
  build "${MCPSF_GET_TREE:-.}"
fi
"$dir/mcpsf" version
if [ -n "${GITHUB_PATH-}" ]; then
  printf '%s\n' "$dir" >>"$GITHUB_PATH"
else
  printf 'mcpsf is in %s\n' "$dir"
fi
