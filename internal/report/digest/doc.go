// Package digest selects what of a run is shown and groups it: findings that
// differ in one word, events by call, advisories by severity. Every format shows
// the same selection.
//
// In: a report and its events. Out: groups, with text that is not escaped yet.
package digest
