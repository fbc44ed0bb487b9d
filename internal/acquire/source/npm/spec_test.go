package npm

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func TestNPMMatch(t *testing.T) {
	for source, want := range map[string]bool{
		"@scope/name": true, "@scope/name@1.2.3": true, "@scope/name@>=1 <2": true, "@Scope/na.me@next": true,
		"npm:name": true, "npm:@scope/name@^1": true, "npm:../x": true, "npm:": true, "npm:x.tgz": true,
		"name": false, "name@1.2.3": false, "./@scope/name": false, "/@scope/name": false, "@scope": false, "@": false, "": false,
		"@scope/": false, "@/name": false, "@scope/..": false, "@scope/.": false, "@scope/.hidden": false, "@scope/a/b": false, "@scope/name@a/b": false,
		"@scope/name.tgz": false, "@scope/name-1.0.0.tar.gz": false, "@scope/name@x.ZIP": false, "@scope/na me": false,
		"@scope/%2e%2e": false, "@../x": false, "pypi:name": false, "NPM:name": false, "@@/x": false,
	} {
		if got := (Resolver{}).Match(mcpsf.Target{Source: source}); got != want {
			t.Errorf("%q: match is %t", source, got)
		}
	}
}

func TestParseNPM(t *testing.T) {
	for source, want := range map[string]request{
		"npm:name":                {name: "name", want: "latest"},
		"npm:name@":               {name: "name", want: "latest"},
		"@scope/name":             {name: "@scope/name", want: "latest"},
		"npm:@scope/name@next":    {name: "@scope/name", want: "next"},
		"npm:name@1.2.3":          {name: "name", want: "1.2.3", kind: wantVersion},
		"npm:name@v1.2.3":         {name: "name", want: "1.2.3", kind: wantVersion},
		"npm:name@=1.2.3-beta.1":  {name: "name", want: "1.2.3-beta.1", kind: wantVersion},
		"npm:name@1":              {name: "name", want: "1", kind: wantRange},
		"npm:name@^1.2":           {name: "name", want: "^1.2", kind: wantRange},
		"npm:name@>=1 <2 || ~3.1": {name: "name", want: ">=1 <2 || ~3.1", kind: wantRange},
		"npm:name@*":              {name: "name", want: "*", kind: wantRange},
	} {
		got, err := parseSpec(source)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(request{})); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", source, err, diff)
		}
	}
	for _, source := range []string{
		"npm:", "npm:@1.0.0", "npm:..", "npm:../x", "npm:a/b", "npm:@s/a/b", "npm:@s%2fa", "npm:a%2fb", "npm:.a", "npm:_a", "npm:node_modules", "npm:favicon.ico",
		"npm:a b", "npm:a\nb", "npm:a\x1b[31m", "npm:a?x", "npm:a#x", "npm:ä", "npm:\xff", "npm:@s/..", "npm:@/a", "npm:@s/", "npm:" + strings.Repeat("a", 215),
		"npm:a@file:../x", "npm:a@https://host.test/x.tgz", "npm:a@npm:b@1", "npm:a@git+ssh://host.test/x", "npm:a@../x", "npm:a@b/c", "npm:a@@", "npm:a@\x1b[31m",
		"npm:a@1.2.3/../x", "npm:a@" + strings.Repeat("1", 300),
	} {
		_, err := parseSpec(source)
		if err == nil {
			t.Errorf("%q is accepted", source)
			continue
		}
		sourcetest.WantUsage(t, err)
	}
}

func FuzzNPMSpec(f *testing.F) {
	for _, s := range []string{"npm:name@1.2.3", "@scope/name@>=1 <2 || 3", "npm:@../..@x", "npm:a@1 - 2", "@a/b@v=1.0.0-x+y", "npm:@@@"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		spec, err := parseSpec(source)
		if err != nil {
			sourcetest.WantUsage(t, err)
			if !strings.HasPrefix(source, prefix) && matches(source) && strings.IndexByte(source[1:], '@') < 0 {
				t.Errorf("%q matches and is refused: %v", source, err)
			}
			return
		}
		if strings.ContainsAny(spec.name, "\\%?#: \n") || strings.Contains(spec.name, "..") && strings.Contains("/"+spec.name+"/", "/../") ||
			strings.Count(spec.name, "/") > 1 || len(spec.name) > 214 {
			t.Errorf("name is %q", spec.name)
		}
		if spec.kind == wantRange && parseRange(spec.want) == nil {
			t.Errorf("range is %q", spec.want)
		}
	})
}

func TestNPMIntegrity(t *testing.T) {
	sum := func(algorithm, text string) string {
		h := newHash(algorithm)
		h.Write([]byte(text))
		return integrity{algorithm: algorithm, sums: []string{sumOf(algorithm, text)}}.check(h)
	}
	const sha1hex = "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8" // of "a"
	for _, tt := range []struct {
		name, stated, shasum, algorithm, pin string
	}{
		{"sha512", sum("sha512", "a"), "", "sha512", sum("sha512", "a")},
		{"the strongest counts", sum("sha1", "b") + " " + sum("sha512", "a") + "  " + sum("sha256", "b"), "", "sha512", sum("sha512", "a")},
		{"the strongest is wrong", sum("sha1", "a") + " " + sum("sha512", "b"), sha1hex, "sha512", ""},
		{"one of several", sum("sha384", "b") + "?x " + sum("sha384", "a") + "?y", "", "sha384", sum("sha384", "a")},
		{"shasum", "", sha1hex, "sha1", sum("sha1", "a")},
		{"nothing known", "md5-kAFQmDzST7DWlj99KOF/cg==", sha1hex, "sha1", sum("sha1", "a")},
		{"of another length", "sha512-YQ==", "", "", ""},
		{"no base64", "sha512-!!!", "xyz", "", ""},
		{"nothing", "", "", "", ""},
		{"shasum of another length", "", "00", "", ""},
	} {
		got := parseIntegrity(tt.stated, tt.shasum)
		if got.algorithm != tt.algorithm {
			t.Errorf("%s: algorithm is %q", tt.name, got.algorithm)
			continue
		}
		if h := newHash(got.algorithm); h != nil {
			h.Write([]byte("a"))
			if pin := got.check(h); pin != tt.pin {
				t.Errorf("%s: pin is %q, want %q", tt.name, pin, tt.pin)
			}
		}
	}
}
