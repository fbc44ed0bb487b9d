package project

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

func FuzzPackageJSON(f *testing.F) {
	f.Add([]byte(`{"name": "@a/b", "bin": "x.js", "exports": {".": {"import": "y.js"}}, "scripts": {"start": "node z.js"}}`))
	f.Add([]byte(`{"bin": {"a": "b", "c": 1}, "main": "\u001b", "scripts": {"start": "node -e 'x'; rm"}}`))
	f.Add([]byte(`{"packages": [{"registryType": "npm"}], "version": "\n"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var fields map[string]json.RawMessage
		if json.Unmarshal(data, &fields) != nil {
			return
		}
		p := parsePackageJSON(fields)
		checkAbout(t, p.about)
		checkAbout(t, parseServerJSON(fields).about)
		if p.start != nil && (p.start[0] != "node" || strings.ContainsAny(strings.Join(p.start, ""), ";&|$`'\"<>")) {
			t.Errorf("start script %q is more than a call of node", p.start)
		}
	})
}

func FuzzPyproject(f *testing.F) {
	f.Add([]byte("[project]\nname = \"x\"\nscripts = {a = \"b.c:d.e [f]\"}"))
	f.Add([]byte("[tool.poetry.scripts]\nx = 'y:z'\n"))
	f.Add([]byte("a = \"\"\"\n\\\"\"\"\"\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, _ := parsePyproject(data) // the part that was parsed must be valid either way
		checkAbout(t, p.about)
		for _, s := range p.scripts {
			if strings.ContainsAny(s.module+s.function, " ;()\"'\n") {
				t.Errorf("script %+v could be more than a name", s)
			}
		}
	})
}

// checkAbout checks that a manifest's own description is safe to print.
func checkAbout(t *testing.T, a about) {
	t.Helper()
	for _, s := range []string{a.name, a.version, a.description} {
		if len(s) > 1000 || usererr.BadName(s) != "" || strings.ContainsFunc(s, unicode.IsControl) {
			t.Errorf("unfit to print: %.100q (%d bytes)", s, len(s))
		}
	}
}
