package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestAdvisories(t *testing.T) {
	list, err := readList("advisories.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 14 {
		t.Errorf("%d advisories", len(list))
	}
	for _, a := range list {
		for _, source := range []string{a.Vulnerable, a.Fixed} {
			if source != "" && !strings.HasPrefix(source, "npm:") && !strings.HasPrefix(source, "pypi:") {
				t.Errorf("%s: %q is neither of npm nor of PyPI", a.ID, source)
			}
		}
	}
}

func TestListRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no class":        `[{id: CVE-1, what: x, vulnerable: "npm:a@1", sign: {rules: [path-traversal]}}]`,
		"no sign":         `[{id: CVE-1, what: x, class: y, vulnerable: "npm:a@1"}]`,
		"an unknown word": `[{id: CVE-1, what: x, class: y, vulnerable: "npm:a@1", signs: {}}]`,
		"twice":           `[{id: A, what: x, class: y, vulnerable: "npm:a@1", unseen: z}, {id: A, what: x, class: y, vulnerable: "npm:a@1", unseen: z}]`,
	} {
		if _, err := parseList([]byte(text)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

const events = `{"seq":1,"call":"c9","kind":"mcp.request","mcp":{"tool":"get","body":{"name":"get","arguments":{"name":"--mcx"}},"attack":{"class":"argument-injection","place":"/name","why":"option","sign":"argument","marker":"--mcx"}}}
{"seq":2,"call":"c9","kind":"process.exec","process":{"args":["git","--mcx"],"error":"ENOENT"}}
{"seq":3,"call":"c9","kind":"process.exec","process":{"args":["git","log","--mcx"]}}
{"seq":4,"call":"c9","kind":"process.exec","process":{"args":["git","log"]}}
{"seq":5,"call":"c10","kind":"process.exec","process":{"args":["git","--mcx"]}}
{"seq":6,"call":"c11","kind":"mcp.request","mcp":{"tool":"read","body":{"name":"read","arguments":{"path":"/out/a"}},"attack":{"class":"path-traversal","place":"/path","why":"absolute path","sign":"open","marker":"/out/a"}}}
{"seq":7,"call":"c11","kind":"file.open","file":{"path":"/out/b"}}
{"seq":8,"call":"c11","kind":"file.open","file":{"path":"/out/a.txt"}}
{"seq":9,"kind":"remote.check","remote":{"check":"rebinding","url":"http://localhost:1/mcp","method":"initialize","sent":"Host of a stranger","got":"HTTP 200","weak":true}}
{"seq":10,"call":"c12","kind":"mcp.request","mcp":{"method":"GET /go","body":{"request":"GET http://localhost:1/go?a=mcz"},"attack":{"class":"endpoint","place":"/go","why":"program","sign":"exec","marker":"mcz"}}}
{"seq":11,"call":"c12","kind":"process.exec","process":{"path":"/bin/mcz","args":["mcz"]}}
{"seq":12,"call":"c13","kind":"mcp.request","mcp":{"method":"GET /go","body":{"request":"GET http://localhost:1/go?b=mcw"},"attack":{"class":"endpoint-command-page","place":"/go","why":"program","sign":"exec","marker":"mcw"}}}
{"seq":13,"call":"c13","kind":"process.exec","process":{"path":"/bin/mcw","args":["mcw"]}}
`

func TestSuccesses(t *testing.T) {
	name := filepath.Join(t.TempDir(), "events.jsonl")
	if err := os.WriteFile(name, []byte(events), 0o600); err != nil {
		t.Fatal(err)
	}
	shown, tried, err := successes(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(shown["get"]) != 1 || shown["get"][0].Evidence != "event 3: exec git log --mcx" || shown["get"][0].Call != `get {"name":"--mcx"}` {
		t.Errorf("get: %+v", shown["get"])
	}
	if len(shown["read"]) != 1 || shown["read"][0].Evidence != "event 8: open /out/a.txt" {
		t.Errorf("read: %+v", shown["read"])
	}

	r := &result{}
	rep := &mcpsf.Report{Findings: []mcpsf.Finding{
		{ID: "argument-injection", Tool: "get", Message: `Through the argument "/name" of "get" options are passed.`},
		{ID: "path-traversal", Tool: "read", Message: `Through the argument "/other" of "read" files are reached.`, Reproduce: "read {}"},
		{ID: "shell-with-call-data", Tool: "get"},
		{ID: "dns-rebinding", Message: "x", Evidence: []int64{9}},
		{ID: "csrf-command-execution", Message: `At "/go" the server runs programs.`, Evidence: []int64{13}},
	}}
	r.fill(rep, shown, tried)
	if len(r.Tried) != 4 || r.Tried[2] != "get /name option" {
		t.Errorf("tried: %q", r.Tried)
	}
	if len(r.Findings) != 4 || r.Findings[2].Shown[0].Evidence != "event 9: HTTP 200" || r.Findings[3].Shown[0].Call != "GET http://localhost:1/go?b=mcw" {
		t.Fatalf("findings: %+v", r.Findings)
	}
	if r.Findings[0].Shown[0].Why != "option" || r.Findings[1].Shown[0].Call != "read {}" {
		t.Errorf("findings: %+v", r.Findings)
	}
}

func TestPage(t *testing.T) {
	list, err := parseList([]byte(`
- {id: CVE-1, what: "a | b", class: x, vulnerable: "npm:a@1", fixed: "npm:a@2", sign: {rules: [path-traversal], why: link}}
- {id: CVE-2, what: c, class: x, vulnerable: "npm:a@1", fixed: "npm:b@2", sign: {rules: [path-traversal], tools: [other]}}
- {id: CVE-3, what: d, class: x, vulnerable: "pypi:c==1", sign: {rules: [sql-injection]}, unseen: because}
`))
	if err != nil {
		t.Fatal(err)
	}
	known := results{
		"npm:a@1": {Findings: []finding{{Rule: "path-traversal", Tool: "read", Severity: "high", Grade: "proved", Shown: []success{
			{Why: "climbing out"}, {Why: "symbolic link", Call: "read {\"p\":\"`x`\"}", Evidence: "event 5: open /x"},
		}}}},
		"npm:a@2": {Tried: []string{"read  symbolic link"}},
	}
	text := page(list, known, "2026-01-02")
	for _, want := range []string{
		"**1 of 3 were found**; 1 of the list were not run.",
		"| [CVE-1](https://nvd.nist.gov/vuln/detail/CVE-1) | `a@1` | a \\| b | `` read {\"p\":\"`x`\"} `` | ` event 5: open /x `; high, proved | `a@2`: clean, the same attack was made |",
		"CVE-2) | `a@1` | c | no finding shows it |", "CVE-3) | `c@1` | d | it was not run; to be expected: because |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	// A fixed version without a finding counts as clean only if the attack was made.
	for want, r := range map[string]*result{
		"not recorded": {}, "was not reached": {Tried: []string{"read  climbing out"}},
	} {
		known["npm:a@2"] = r
		if text, _, clean := list[0].fixedState(known); clean || !strings.Contains(text, want) {
			t.Errorf("%s: %q, %v", want, text, clean)
		}
	}
}
