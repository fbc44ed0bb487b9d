package install

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

func npmTools() *Tools {
	return &Tools{Interpreter: "/usr/bin/node", Version: "20.1.0", Manager: []string{"/usr/bin/node", "/usr/lib/npm/cli.js"}, ManagerVersion: "10"}
}

func plan(t *testing.T, in mcpsf.Install, tools *Tools) *Plan {
	t.Helper()
	p, err := New(&mcpsf.Artifact{Kind: "npm", Name: "x", Version: "1.0.0", Digest: "sha256:1", Install: &in}, tools)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestNPM(t *testing.T) {
	for name, tt := range map[string]struct {
		in        mcpsf.Install
		has, lack string
	}{
		"a published package": {mcpsf.Install{Package: "/host/run/x-1.0.0.tgz"}, "'install' '--omit=dev' '/tmp/package/x-1.0.0.tgz'", "--include=dev"},
		"a project":           {mcpsf.Install{}, "'install' '--include=dev'", "'ci'"},
		"a locked project":    {mcpsf.Install{Locked: true}, "try '/usr/bin/node' '/usr/lib/npm/cli.js' 'ci' '--include=dev' '--prefix'", "--omit=dev"},
		"else without lock":   {mcpsf.Install{Locked: true}, "|| unlock || try", "--omit=dev"},
		"pnpm":                {mcpsf.Install{Locked: true, Lock: &mcpsf.Lock{File: "pnpm-lock.yaml"}}, "'--registry=http://packages.lan/npm-locked/' '--prefix' '/home/dev/code/server' || try", "'ci'"},
		"a hostile lock":      {mcpsf.Install{Lock: &mcpsf.Lock{File: "package-lock.json", Problem: "x"}}, "'install' '--include=dev' '--no-package-lock'", "|| unlock"},
		"a hostile pnpm lock": {mcpsf.Install{Lock: &mcpsf.Lock{File: "pnpm-lock.yaml", Problem: "x"}}, "'install' '--include=dev' '--prefix'", "npm-locked"},
		"published with pnpm": {mcpsf.Install{Package: "/x.tgz", Lock: &mcpsf.Lock{File: "pnpm-lock.yaml"}}, "'install' '--omit=dev'", "npm-locked"},
		"the lock of a package": {mcpsf.Install{Package: "/x.tgz", Locked: true, Lock: &mcpsf.Lock{File: "yarn.lock"}},
			"try '/usr/bin/node' '/usr/lib/npm/cli.js' 'install' '--omit=dev' '/tmp/package/x.tgz' '--no-package-lock' '--registry=http://packages.lan/npm-locked/'", "'ci'"},
		"a project to build":  {mcpsf.Install{Build: "build"}, "'run' 'build'", "--omit=dev"},
		"a name with a quote": {mcpsf.Install{Package: "/host/it's $(touch x).tgz"}, `'/tmp/package/it'\''s $(touch x).tgz'`, "--include=dev"},
	} {
		t.Run(name, func(t *testing.T) {
			tt.in.Manager = mcpsf.ManagerNPM
			p := plan(t, tt.in, npmTools())
			script := p.Command[len(p.Command)-1]
			if !strings.Contains(script, tt.has) || strings.Contains(script, tt.lack) {
				t.Errorf("the script should have %s and lack %s:\n%s", tt.has, tt.lack, script)
			}
			if !strings.Contains(script, "'--ignore-scripts'") || !strings.Contains(script, `run("rebuild"`) {
				t.Errorf("a failing script would end it all:\n%s", script)
			}
			for _, want := range []string{"npm_config_ignore_scripts=false", "npm_config_registry=http://packages.lan/npm/"} {
				if !slices.Contains(p.Env, want) {
					t.Errorf("%s is missing", want)
				}
			}
		})
	}
}

func TestPip(t *testing.T) {
	tools := &Tools{Interpreter: "/usr/bin/python3", Manager: []string{"/opt/pip/__pip-runner__.py"}}
	lock := mcpsf.Lock{File: "uv.lock", Constraints: []string{"a==1", "b==2"}, Requires: []string{"a"}, Members: []string{"libs/x"}}
	virtual, only := lock, lock
	virtual.Alone, only.Alone, only.Only = true, true, true
	for name, tt := range map[string]struct {
		in   mcpsf.Install
		want string
	}{
		"a wheel":      {mcpsf.Install{Package: "/host/x-1-py3-none-any.whl"}, `["/tmp/package/x-1-py3-none-any.whl"]`},
		"with extras":  {mcpsf.Install{Package: "/host/x.whl", Extras: []string{"cli", "http"}}, `["/tmp/package/x.whl[cli,http]"]`},
		"a project":    {mcpsf.Install{}, `["."]`},
		"requirements": {mcpsf.Install{Requirements: "requirements.txt"}, `["-r","requirements.txt"]`},
		"locked":       {mcpsf.Install{Locked: true, Lock: &lock}, `[".","-c","/tmp/package/constraints.txt","./libs/x"] ["."]`},
		"not obeyed":   {mcpsf.Install{Lock: &lock}, `["."]`},
		"no package":   {mcpsf.Install{Locked: true, Lock: &virtual}, `["-r","/tmp/package/requirements.txt","-c","/tmp/package/constraints.txt","./libs/x"] ["."]`},
		"nothing else": {mcpsf.Install{Locked: true, Lock: &only}, `["-r","/tmp/package/requirements.txt","-c","/tmp/package/constraints.txt","./libs/x"] ["-r","/tmp/package/requirements.txt"]`},
	} {
		t.Run(name, func(t *testing.T) {
			tt.in.Manager = mcpsf.ManagerPip
			p := plan(t, tt.in, tools)
			got, ok := strings.CutPrefix(p.Command[len(p.Command)-1], `[[["/opt/pip/__pip-runner__.py","install",`)
			got, _, _ = strings.Cut(got, "],420,")
			got = "[" + strings.ReplaceAll(got, `],["/opt/pip/__pip-runner__.py","install",`, "] [")
			if !ok || got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if tt.in.Locked && p.Texts["/tmp/package/constraints.txt"] != "a==1\nb==2\n" {
				t.Errorf("files %q", p.Texts)
			}
		})
	}
}

// Everything that could change the result changes its key.
func TestKey(t *testing.T) {
	first := plan(t, mcpsf.Install{Manager: mcpsf.ManagerNPM}, npmTools()).Key
	if again := plan(t, mcpsf.Install{Manager: mcpsf.ManagerNPM}, npmTools()).Key; again != first {
		t.Errorf("the same installation is %s and %s", first, again)
	}
	seen := map[string]string{first: "nothing"}
	for name, change := range map[string]func(*mcpsf.Artifact, *Tools){
		"the digest":       func(a *mcpsf.Artifact, _ *Tools) { a.Digest = "sha256:2" },
		"the pin":          func(a *mcpsf.Artifact, _ *Tools) { a.Origin = &mcpsf.Origin{Pin: "sha512-x"} },
		"the lock":         func(a *mcpsf.Artifact, _ *Tools) { a.Install.Locked = true },
		"the package file": func(a *mcpsf.Artifact, _ *Tools) { a.Install.Package = "/x.tgz" },
		"the interpreter":  func(_ *mcpsf.Artifact, t *Tools) { t.Version = "22.0.0" },
		"the manager":      func(_ *mcpsf.Artifact, t *Tools) { t.ManagerVersion = "11" },
		"the image":        func(_ *mcpsf.Artifact, t *Tools) { t.Image = "abc" },
		"the registry":     func(_ *mcpsf.Artifact, t *Tools) { t.Registries = []string{"https://registry.example/"} },
		"the day":          func(_ *mcpsf.Artifact, t *Tools) { t.Before = time.Unix(1e9, 0) },
	} {
		a := &mcpsf.Artifact{Kind: "npm", Name: "x", Version: "1.0.0", Digest: "sha256:1", Install: &mcpsf.Install{Manager: mcpsf.ManagerNPM}}
		tools := npmTools()
		change(a, tools)
		p, err := New(a, tools)
		if err != nil {
			t.Fatal(err)
		}
		if other, same := seen[p.Key]; same {
			t.Errorf("%s changes as much as %s", name, other)
		}
		seen[p.Key] = name
	}
}
