#!/bin/sh
# Assesses a server in a build, writes the reports, and ends as mcpsf does: 0
# nothing at or above the gate, 1 findings, 2 usage, 3 inconclusive, 4 failure.
#
#   ASSESS_SOURCE          what to assess
#   ASSESS_PROFILE         safe, balanced or aggressive
#   ASSESS_FAIL_ON         low, medium, high, critical or never
#   ASSESS_MIN_CONFIDENCE  low, medium or high; without it mcpsf.yaml decides
#   ASSESS_OUTPUT          directory for the reports
#   ASSESS_ARGS            further arguments, one on each line
#
# On GitHub it adds to the job summary and sets the outputs verdict, score, sarif
# and report.
set -eu

newline='
'

fail() {
  printf 'mcpsf: %s\n' "$1" >&2
  exit 2
}

# quietly keeps what a server says from being taken for a command to the runner,
# which looks for them in everything that is printed.
quietly() {
  if [ "${GITHUB_ACTIONS-}" != true ]; then
    "$@"
    return
  fi
  token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$token"
  status=0
  "$@" || status=$?
  printf '\n::%s::\n' "$token"
  return "$status"
}

# verdict_of prints a value of the verdict in a report. Each stands on a line of
# its own there, and nothing a server says can.
verdict_of() {
  sed -n '/^  "verdict": {$/,/^  }/s/^    "'"$2"'": "\{0,1\}\([A-Z0-9]*\)"\{0,1\},\{0,1\}$/\1/p' "$1"
}

rank() {
  case $1 in
    PASS) echo 1 ;;
    LOW) echo 2 ;;
    INCONCLUSIVE) echo 3 ;;
    MEDIUM) echo 4 ;;
    HIGH) echo 5 ;;
    CRITICAL) echo 6 ;;
    *) echo 0 ;;
  esac
}

# for_scanning copies a SARIF file without the findings that were waived: code
# scanning does not know the difference and would open an alert for each.
for_scanning() {
  if command -v jq >/dev/null 2>&1; then
    jq 'del(.runs[].results[] | select((.suppressions // []) | length > 0))' "$1" >"$2"
  else
    cp "$1" "$2"
  fi
}

# collect takes up the reports of one server.
collect() {
  band=$(verdict_of "$1/report.json" band)
  points=$(verdict_of "$1/report.json" score)
  if [ "$(rank "$band")" -gt "$(rank "$verdict")" ]; then
    verdict=$band
  fi
  if [ "${points:-0}" -gt "$score" ]; then
    score=$points
  fi
  servers=$((servers + 1))
  if [ -f "$1/report.sarif" ]; then
    sarif=$output/code-scanning
    mkdir -p "$sarif"
    for_scanning "$1/report.sarif" "$sarif/$servers.sarif"
  fi
  if [ -f "$1/report.md" ] && [ -n "${GITHUB_STEP_SUMMARY-}" ]; then
    cat "$1/report.md" >>"$GITHUB_STEP_SUMMARY"
    printf '\n' >>"$GITHUB_STEP_SUMMARY"
  fi
}

source=${ASSESS_SOURCE-}
output=${ASSESS_OUTPUT:-mcpsf-report}
case $source in
  "") fail "there is nothing to assess; set source" ;;
  -*) fail "the source must not begin with a hyphen" ;;
esac
case $output in
  -* | *"$newline"*) fail "the output must be the plain name of a directory" ;;
esac

set -- assess "$source" "--profile=${ASSESS_PROFILE:-balanced}" "--fail-on=${ASSESS_FAIL_ON:-high}" \
  "--output=$output" --also=sarif,markdown,junit --quiet
if [ -n "${ASSESS_MIN_CONFIDENCE-}" ]; then
  set -- "$@" "--min-confidence=$ASSESS_MIN_CONFIDENCE"
fi
while IFS= read -r line; do
  if [ -n "$line" ]; then
    set -- "$@" "$line"
  fi
done <<LINES
${ASSESS_ARGS-}
LINES

code=0
quietly mcpsf "$@" || code=$?

verdict='' score=0 sarif='' servers=0
for report in "$output/report.json" "$output"/*/report.json; do
  if [ -f "$report" ]; then
    collect "${report%/report.json}"
  fi
done
if [ -n "${GITHUB_OUTPUT-}" ]; then
  {
    printf 'verdict=%s\n' "$verdict"
    printf 'score=%s\n' "$score"
    printf 'sarif=%s\n' "$sarif"
    printf 'report=%s\n' "$output"
  } >>"$GITHUB_OUTPUT"
fi
exit "$code"
