package gateway

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseTarget(t *testing.T) {
	for _, tt := range []struct {
		path string
		want target
	}{
		{"/npm/-/ping", target{kind: targetPing}},
		{"/npm/left", target{kind: targetPackument, name: "left"}},
		{"/npm/-", target{kind: targetPackument, name: "-"}},
		{"/npm/Left.Right_x~1", target{kind: targetPackument, name: "Left.Right_x~1"}},
		{"/npm/@acme%2ftool", target{kind: targetPackument, name: "@acme/tool"}},
		{"/npm/@acme%2Ftool", target{kind: targetPackument, name: "@acme/tool"}},
		{"/npm/%40acme%2Ftool", target{kind: targetPackument, name: "@acme/tool"}},
		{"/npm/@acme/tool", target{kind: targetPackument, name: "@acme/tool"}},
		{"/npm/@acme/tool/1.2.3-rc.1+b", target{kind: targetPackument, name: "@acme/tool", version: "1.2.3-rc.1+b"}},
		{"/npm/@acme%2ftool/latest", target{kind: targetPackument, name: "@acme/tool", version: "latest"}},
		{"/npm/left/1.0.0", target{kind: targetPackument, name: "left", version: "1.0.0"}},
		{"/npm/left/-/left-1.0.0.tgz", target{kind: targetTarball, name: "left", file: "left-1.0.0.tgz"}},
		{"/npm/@acme/tool/-/tool-1.0.0.tgz", target{kind: targetTarball, name: "@acme/tool", file: "tool-1.0.0.tgz"}},
		{"/left/-/left-1.0.0.tgz", target{kind: targetTarball, name: "left", file: "left-1.0.0.tgz"}},
		{"/npm-locked/@acme%2ftool", target{kind: targetPackument, name: "@acme/tool", locked: true}},
		{"/npm-locked/npm-files/AbC-_1/left-1.0.0.tgz", target{kind: targetNPMFile, token: "AbC-_1", file: "left-1.0.0.tgz"}},
		{"/npm-files/AbC-_1/left-1.0.0.tgz", target{kind: targetNPMFile, token: "AbC-_1", file: "left-1.0.0.tgz"}},
		{"/pypi/simple/zope.Interface/", target{kind: targetProject, name: "zope-interface"}},
		{"/pypi/simple/a--_.b", target{kind: targetProject, name: "a-b"}},
		{"/pypi-files/AbC/x-1%2Bcpu-py3-none-any.whl.metadata", target{kind: targetPyPIFile, token: "AbC", file: "x-1+cpu-py3-none-any.whl.metadata"}},
	} {
		got, err := parseTarget(tt.path)
		if err != nil {
			t.Errorf("%s: %v", tt.path, err)
			continue
		}
		if diff := cmp.Diff(&tt.want, got, cmp.AllowUnexported(target{})); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.path, diff)
		}
	}
}

func badPaths() []string {
	return []string{
		"", "/", "//", "/npm", "/npm/", "/npm//", "/npm//left", "//npm/left", "/npm/left/", "/npm/left//1.0.0",
		"/npm/..", "/npm/../left", "/npm/%2e%2e/left", "/npm/left/..", "/npm/left/%2E%2E", "/npm/./left", "/npm/%2e",
		"/npm/@acme/../left", "/npm/@acme%2f..", "/npm/@acme%2f%2e%2e", "/npm/@acme%2f..%2fleft", "/npm/@../left", "/npm/@acme",
		"/npm/@acme/", "/npm/@/left", "/npm/@acme/tool/1/2", "/npm/@a/b/c/d/e/f", "/npm/a%2fb", "/npm/left%2f1.0.0",
		"/npm/left%00", "/npm/left%0d%0aX-Evil:1", "/npm/left%20x", "/npm/left\\x", "/npm/left%5cx", "/npm/l\xc3\xa9ft", "/npm/%zz", "/npm/left%",
		"/npm/%252e%252e", "/npm/_all_docs", "/npm/.hidden", "/npm/left?write=true", "/npm/left#x", "/npm/left;x", "/npm/left:80",
		"/npm/-/v1/search", "/npm/-/whoami", "/npm/-/npm/v1/tokens", "/npm/-/npm/v1/security/advisories/bulk", "/npm/-/user/org.couchdb.user:x",
		"/npm/-/package/left/dist-tags", "/npm/-/all", "/npm/-/ping/x", "/npm/%2d/whoami", "/npm/-%2fwhoami",
		"/npm/left/-/left.zip", "/npm/left/-/../left.tgz", "/npm/left/-/..%2fx.tgz", "/npm/left/-/", "/npm/left/-rev", "/npm/left/-/a/b.tgz",
		"/left", "/left/1.0.0", "/-/ping", "/-/whoami", "/etc/passwd", "/favicon.ico", "/http://evil.example/",
		"/npm-files/", "/npm-files/abc", "/npm-files/abc/", "/npm-files/a.b/x.tgz", "/npm-files/abc/../x", "/npm-files/abc/%2e%2e", "/npm-files/abc/x/y",
		"/pypi/", "/pypi/simple", "/pypi/simple/", "/pypi/simple//", "/pypi/simple/x//", "/pypi/simple/../x/", "/pypi/simple/%2e%2e/", "/pypi/simple/-x/",
		"/pypi/simple/x%2fy/", "/pypi/simple/x/y", "/pypi/x/json", "/pypi/pypi/x/json", "/pypi-files/abc/", "/pypi-files/abc/x%2fy",
		"/npm/" + strings.Repeat("a", 215), "/npm/" + strings.Repeat("a/", 10000), "/" + strings.Repeat("%2e", 1500),
		"/pypi/simple/" + strings.Repeat("a", 201) + "/", "/npm/left/" + strings.Repeat("1", 129),
	}
}

func TestParseTargetRefuses(t *testing.T) {
	for _, path := range badPaths() {
		got, err := parseTarget(path)
		f, ok := errors.AsType[*failure](err)
		if !ok || !f.refused || (f.status != http.StatusNotFound && f.status != http.StatusRequestURITooLong) {
			t.Errorf("%.80q: got %+v, %v; want it refused", path, got, err)
		}
	}
}

// FuzzParseTarget checks that an accepted path is only a name: appended to a
// registry's URL it stays below that registry.
func FuzzParseTarget(f *testing.F) {
	for _, path := range badPaths() {
		f.Add(path)
	}
	f.Add("/npm/@acme%2ftool/1.2.3")
	f.Add("/pypi/simple/zope.interface/")
	f.Add("/npm/left/-/left-1.0.0.tgz")
	f.Fuzz(func(t *testing.T, path string) {
		to, err := parseTarget(path)
		if err != nil {
			if to != nil {
				t.Fatal("a target and an error")
			}
			return
		}
		for _, text := range []string{to.name, to.version, to.file, to.token} {
			if strings.ContainsAny(text, "\\?#%:;&= \t\r\n\x00") || strings.Contains(text, "//") {
				t.Fatalf("%q let %q through", path, text)
			}
			for part := range strings.SplitSeq(text, "/") {
				if part == "." || part == ".." {
					t.Fatalf("%q climbs with %q", path, text)
				}
			}
		}
		if n := strings.Count(to.name, "/"); n > 1 || (n == 1) != strings.HasPrefix(to.name, "@") {
			t.Fatalf("%q names %q", path, to.name)
		}
		if strings.Contains(to.version+to.file+to.token, "/") {
			t.Fatalf("%q has slashes in %+v", path, to)
		}
	})
}
