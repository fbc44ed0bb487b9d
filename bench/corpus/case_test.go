package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// corpusDir is relative to this package.
const corpusDir = "../../corpus"

func TestCorpusIsWellFormed(t *testing.T) {
	list, err := load(corpusDir)
	if err != nil {
		t.Fatal(err)
	}
	malicious, honest, languages := 0, 0, map[string]int{}
	for _, e := range list {
		languages[filepath.Ext(e.Server)]++
		switch {
		case e.Malicious:
			malicious++
		case strings.HasPrefix(e.Name, "ok-"):
			honest++
		}
	}
	if malicious < 45 || honest < 30 {
		t.Errorf("%d malicious and %d honest examples", malicious, honest)
	}
	if py, js := languages[".py"], languages[".mjs"]; py > 2*js || js > 2*py {
		t.Errorf("%d in Python and %d for Node: one language hides what is wrong with the other", py, js)
	}
	for _, channel := range []string{
		mcpsf.ChannelDNS, mcpsf.ChannelHTTP, mcpsf.ChannelSMTP, mcpsf.ChannelStream, mcpsf.ChannelPacket,
		mcpsf.ChannelMCP, mcpsf.ChannelStderr, mcpsf.ChannelFile, mcpsf.ChannelArgs,
	} {
		if !expects(list, func(l *leak) bool { return l.Channel == channel }) {
			t.Errorf("no example leaks by %s", channel)
		}
	}
	for _, encoding := range []string{"base64", "base32", "hex", "url", "escape", "reverse", "fold", "rot13", "xor", "gzip"} {
		if !expects(list, func(l *leak) bool { return chained(l.Chain, []string{encoding}) }) {
			t.Errorf("no example leaks under %s", encoding)
		}
	}
}

func expects(list []*example, what func(*leak) bool) bool {
	for _, e := range list {
		for i := range e.Expect.Leaks {
			if what(&e.Expect.Leaks[i]) {
				return true
			}
		}
	}
	return false
}

// Every example has a class, and there are enough honest ones to measure false
// alarms.
func TestEveryCaseHasAClass(t *testing.T) {
	list, err := load(corpusDir)
	if err != nil {
		t.Fatal(err)
	}
	known := slices.Concat(misdeeds(), classes(), []string{everyday, integrity})
	malicious, benign, powerful := map[string]int{}, 0, 0
	for _, e := range list {
		if !slices.Contains(known, e.Class) {
			t.Errorf("%s: class %q", e.Name, e.Class)
		}
		if e.Malicious {
			malicious[e.Class]++
		}
		benign += one(!e.Malicious && !e.Vulnerable)
		powerful += one(e.Powerful)
	}
	for _, class := range misdeeds() {
		if malicious[class] == 0 {
			t.Errorf("nobody does %s", class)
		}
	}
	if 2*benign < len(list) || powerful < 25 {
		t.Errorf("%d of %d mean no harm and have no weakness, %d of them powerful", benign, len(list), powerful)
	}
}

// Nothing in the corpus may contact a real host, wherever it is run: every
// address is from the reserved ranges and names.
func TestCorpusNamesNobody(t *testing.T) {
	list, err := load(corpusDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		raw, err := os.ReadFile(filepath.Join(e.Dir, e.Server))
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		for _, found := range addresses(text + "\n" + strings.Join(e.Env, "\n")) {
			if !reserved(found) {
				t.Errorf("%s names %s", e.Name, found)
			}
		}
		if warned := strings.Contains(text, "MALICIOUS ON PURPOSE"); warned != e.Malicious {
			t.Errorf("%s: malicious %v, says so %v", e.Name, e.Malicious, warned)
		}
		if warned := strings.Contains(text, "VULNERABLE ON PURPOSE"); warned != e.Vulnerable {
			t.Errorf("%s: vulnerable %v, says so %v", e.Name, e.Vulnerable, warned)
		}
	}
}

func TestCheckFindsMistakes(t *testing.T) {
	good := `title: T
malicious: true
class: evasion
twin: ok-x
package: p
expect: {severity: high, rules: [leak], leaks: [{kind: ssh-key, channel: http}]}
`
	for _, tt := range []struct{ name, folder, file, want string }{
		{"as it should be", "x", good, ""},
		{"a field nobody knows", "x", good + "colour: red\n", "colour"},
		{"honest by name only", "ok-x", good, "ok-"},
		{"fixed by name only", "fixed-x", good, "fixed-"},
		{"no twin", "x", strings.Replace(good, "twin: ok-x\n", "", 1), "no twin"},
		{"a channel nobody knows", "x", strings.Replace(good, "channel: http", "channel: pigeon", 1), "pigeon"},
		{"a severity nobody knows", "x", strings.Replace(good, "severity: high", "severity: awful", 1), "awful"},
		{"nothing proves it", "x", strings.Replace(good, ", leaks: [{kind: ssh-key, channel: http}]", "", 1), "prove"},
		{"no rule judges it", "x", strings.Replace(good, "rules: [leak], ", "", 1), "no rule"},
		{"malicious, yet harmless", "x", strings.Replace(good, "severity: high", "severity: low", 1), "at least medium"},
		{"no class", "x", strings.Replace(good, "class: evasion\n", "", 1), "no class"},
		{"a class nobody knows", "x", strings.Replace(good, "class: evasion", "class: mischief", 1), "mischief"},
		{"malicious, yet of a class of attacks", "x", strings.Replace(good, "class: evasion", "class: ssrf", 1), "ssrf"},
		{"malicious, yet everyday", "x", strings.Replace(good, "class: evasion", "class: everyday", 1), "everyday"},
		{"malicious, yet merely powerful", "x", good + "powerful: true\n", "powerful"},
		{"a variable without value", "x", good + "env: [TOKEN]\n", "K=V"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), tt.folder)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			for name, content := range map[string]string{caseFile: tt.file, "server.py": ""} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			e, err := read(dir)
			if err == nil {
				err = e.check()
			}
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestTwinsAreThereAndHonest(t *testing.T) {
	bad, worse := &example{Name: "a", Malicious: true, Twin: "ok-a"}, &example{Name: "b", Malicious: true, Twin: "a"}
	if err := twins([]*example{bad, {Name: "ok-a"}}); err != nil {
		t.Error(err)
	}
	if err := twins([]*example{bad}); err == nil {
		t.Error("a missing twin was not missed")
	}
	if err := twins([]*example{bad, worse, {Name: "ok-a"}}); err == nil {
		t.Error("a malicious twin passed")
	}
}
