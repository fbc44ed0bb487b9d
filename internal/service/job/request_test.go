package job

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestCheckSource(t *testing.T) {
	for source, good := range map[string]bool{
		"npm:notes": true, "npm:@scope/notes@1.2.3": true, "@scope/notes": true, "@scope/notes@latest": true, "npm:notes@^1.2": true,
		"pypi:mcp-server-git": true, "pypi:mcp-server-git==2025.1.14": true, "pypi:x[extra]==1": true, "pypi:x@1.0": true,
		"github:owner/repo": true, "github:owner/repo@v1.2": true, "github:owner/repo/sub/dir@main": true, "oci:registry.example/a/b:1": true,
		"oci:a@sha256:" + strings.Repeat("0", 64): true, "https://mcp.example/mcp": true, "http://mcp.example/sse": true,

		"": false, "./dir": false, "/etc/passwd": false, "dir": false, "server.py": false, "saved:x": false, "oci-archive:x.tar": false,
		"npm:../x": false, "npm:a/../../b": false, "npm:./x": false, "npm:x y": false, "@/x": false, "npm:--profile=safe": false,
		"pypi:x; import os": false, "pypi:./x": false, "pypi:git+https://h.example/x": false, "github:../..": false, "github:a/b/../../c": false,
		"file:///etc/passwd": false, "https://user:pass@h.example/": false, "https://": false, "mcp.json": false, "oci:../x": false,
		"npm:" + strings.Repeat("x", 3000): false, "npm:x\n": false, "npm:x\x00": false, "-npm:x": false, "ftp://h.example/x": false,
	} {
		r := &Request{Source: source}
		err := r.Check()
		if (err == nil) != good {
			t.Errorf("%q: %v", source, err)
		}
		if err != nil && (mcpsf.ErrorCode(err) != mcpsf.CodeUsage || len(err.Error()) > 400) {
			t.Errorf("%q: the answer is %q", source, err)
		}
	}
}

func TestCheckRest(t *testing.T) {
	for name, change := range map[string]func(*Request){
		"source and archive":  func(r *Request) { r.Archive = "x" },
		"profile":             func(r *Request) { r.Profile = "hard" },
		"network":             func(r *Request) { r.Options.Network = "everything" },
		"timeout":             func(r *Request) { r.Options.Timeout = "2h" },
		"no timeout":          func(r *Request) { r.Options.Timeout = "soon" },
		"memory":              func(r *Request) { r.Options.Memory = "5g" },
		"little memory":       func(r *Request) { r.Options.Memory = "63m" },
		"no unit of memory":   func(r *Request) { r.Options.Memory = "1024" },
		"negative memory":     func(r *Request) { r.Options.Memory = "-1g" },
		"cpus":                func(r *Request) { r.Options.CPUs = -1 },
		"image":               func(r *Request) { r.Options.Image = "../x" + " y" },
		"command and args":    func(r *Request) { r.Command, r.Args = []string{"a"}, []string{"b"} },
		"a null":              func(r *Request) { r.Command = []string{"a\x00b"} },
		"too many parts":      func(r *Request) { r.Args = make([]string, maxParts+1) },
		"a flag as detector":  func(r *Request) { r.Detectors = []string{"--rules=/etc"} },
		"a name with =":       func(r *Request) { r.Env = map[string]string{"A=B": ""} },
		"an empty name":       func(r *Request) { r.Env = map[string]string{"": "x"} },
		"too much of a value": func(r *Request) { r.Env = map[string]string{"A": strings.Repeat("x", maxEnv)} },
	} {
		r := &Request{Source: "npm:x", Profile: "safe", Options: Options{Memory: "512m", Timeout: "90s", CPUs: 2, Network: "allow=h.example"}}
		if err := r.Check(); err != nil {
			t.Fatal(err)
		}
		if change(r); r.Check() == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

func TestPinned(t *testing.T) {
	for source, want := range map[string]bool{
		"npm:x@1.2.3": true, "npm:x@latest": false, "npm:x": false, "@a/b": false, "@a/b@1.2.3": true, "npm:@a/b": false, "npm:x@1.2": false,
		"pypi:x==1": true, "pypi:x": false, "github:a/b@main": false, "github:a/b@" + strings.Repeat("a", 40): true,
		"oci:x:latest": false, "oci:x@sha256:" + strings.Repeat("0", 64): true, "https://h.example/mcp": false,
	} {
		if got := (&Request{Source: source}).Pinned(); got != want {
			t.Errorf("%s: %v", source, got)
		}
	}
}

func TestSame(t *testing.T) {
	a := &Request{Source: "npm:x", Env: map[string]string{"A": "1", "B": "2"}}
	b := &Request{Source: "npm:x", Env: map[string]string{"B": "2", "A": "1"}}
	secret := []byte("s")
	if a.Same(secret, "1") != b.Same(secret, "1") {
		t.Error("the order of variables matters")
	}
	b.Env["A"] = "other"
	for name, other := range map[string]string{
		"another value": b.Same(secret, "1"), "another version": a.Same(secret, "2"), "another secret": a.Same([]byte("t"), "1"),
	} {
		if other == a.Same(secret, "1") {
			t.Errorf("%s makes no difference", name)
		}
	}
	if shown := a.Shown(); shown.Env["A"] != "" || len(shown.Env) != 2 || a.Env["A"] != "1" {
		t.Errorf("shown are %v, left %v", shown.Env, a.Env)
	}
}

func TestKind(t *testing.T) {
	for want, sources := range map[string][]string{
		"npm": {"npm:x@1.2.3", "@a/b"}, "pypi": {"pypi:x"}, "github": {"github:a/b@main"}, "oci": {"oci:x:latest"}, "remote": {"https://h.example/mcp", "http://h.example"},
		"other": {"", "x", "pypi", "/etc/passwd"},
	} {
		for _, source := range sources {
			if got := (&Request{Source: source}).Kind(); got != want {
				t.Errorf("%q: %s, want %s", source, got, want)
			}
		}
	}
	if got := (&Request{Archive: "00", ArchiveName: "npm:x"}).Kind(); got != "archive" {
		t.Errorf("an archive: %s", got)
	}
}

func TestStep(t *testing.T) {
	for step, want := range map[string]string{"drive": "drive", "judge": "judge", "": "other", "Drive": "other", "<script>": "other"} {
		if got := Step(step); got != want {
			t.Errorf("%q: %s, want %s", step, got, want)
		}
	}
}
