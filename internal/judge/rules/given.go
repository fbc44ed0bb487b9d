package rules

import (
	"path"
	"strings"
)

// givenHome returns the folders of the configuration that hold the whole home
// directory. Only a value that is the folder counts, not a text with a slash
// in it.
func givenHome(scope Scope) []string {
	var out []string
	add := func(value string) {
		if len(out) >= maxClaims || value == "" || len(value) > maxPath {
			return
		}
		dir := absolute(cutPattern(expand(value, scope.Home)), scope.WorkDir)
		if dir == scope.Home || under(scope.Home, dir) {
			out = append(out, dir)
		}
	}
	for _, arg := range scope.Command[min(1, len(scope.Command)):] {
		add(arg)
		if _, value, ok := strings.Cut(arg, "="); ok {
			add(value)
		}
	}
	for _, kv := range scope.Env {
		key, value, _ := strings.Cut(kv, "=")
		if ambient(key) {
			continue
		}
		for part := range strings.SplitSeq(value, ":") {
			add(part)
		}
	}
	return out
}

// inGivenFolder tells whether the secret was come upon by a walk through a
// folder that the user gave to the server and that holds the home: then the
// user gave it the keys as well. A walk lists the directory before it opens
// what is in it; who opens the one file has looked for that.
func (r *run) inGivenFolder(f *fields) bool {
	if len(r.given) == 0 || !r.inCall(f) || !r.history.listed[inCallOf{f.Call, path.Dir(f.Subject)}] {
		return false
	}
	for _, dir := range r.given {
		if under(f.Subject, dir) {
			return true
		}
	}
	return false
}
