package rules

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// coverRule returns a rule that matches opened files below a folder of its name.
func coverRule(id, severity string, weight int, more string) string {
	return fmt.Sprintf(`id: %[1]s
title: Rule %[1]s
category: behaviour
severity: %[2]s
grade: proved
weight: %[3]d
kinds: [file.open]
when: isUnder(Path, "/%[1]s") || isUnder(Path, "/all")
group: [tool]
%[4]s
message: '%[1]s'
rationale: because
remediation: stop
tests:
  - {name: a, events: [{kind: file.open, phase: start, file: {path: /%[1]s/x}}], expect: hit}
  - {name: b, events: [{kind: file.open, phase: start, file: {path: /y}}], expect: miss}
`, id, severity, weight, more)
}

func loadRules(files map[string]string) (*Set, error) {
	fsys := fstest.MapFS{}
	for id, text := range files {
		fsys[id+".yaml"] = &fstest.MapFile{Data: []byte(text)}
	}
	return Load(fsys)
}

// opened returns a call of a tool and the event of the file that it opens.
func opened(seq int64, call, tool, path string) []mcpsf.Event {
	return []mcpsf.Event{
		{Seq: seq, Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseDrive, Call: call, MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: tool}},
		{Seq: seq + 1, Kind: mcpsf.KindFileOpen, Phase: mcpsf.PhaseDrive, Call: call, File: &mcpsf.FileDetail{Path: path}},
	}
}

func TestCovers(t *testing.T) {
	const byTool, byCall = "covers: [{rules: [weak], same: [tool]}]", "covers: [{rules: [weak], same: [call]}]"
	weak := coverRule("weak", "medium", 5, "")
	for _, tt := range []struct {
		name   string
		rules  map[string]string
		events [][]mcpsf.Event
		// want are the findings: id, tool, evidence.
		want []string
	}{
		{
			"the same tool", map[string]string{"strong": coverRule("strong", "high", 10, byTool), "weak": weak},
			[][]mcpsf.Event{opened(1, "c1", "get", "/weak/x"), opened(3, "c2", "get", "/strong/x")}, []string{"strong get [2 4]"},
		},
		{
			"two tools", map[string]string{"strong": coverRule("strong", "high", 10, byTool), "weak": weak},
			[][]mcpsf.Event{opened(1, "c1", "get", "/weak/x"), opened(3, "c2", "put", "/strong/x")}, []string{"strong put [4]", "weak get [2]"},
		},
		{
			"the same call", map[string]string{"strong": coverRule("strong", "high", 10, byCall), "weak": weak},
			[][]mcpsf.Event{opened(1, "c1", "get", "/all/x")}, []string{"strong get [2]"},
		},
		{
			"one hit in another call", map[string]string{"strong": coverRule("strong", "high", 10, byCall), "weak": weak},
			[][]mcpsf.Event{opened(1, "c1", "get", "/all/x"), opened(3, "c2", "get", "/weak/x")}, []string{"strong get [2]", "weak get [2 4]"},
		},
		{
			"hits that two rules cover together", map[string]string{"strong": coverRule("strong", "high", 10, byCall), "other": coverRule("other", "high", 10, byCall), "weak": weak},
			[][]mcpsf.Event{opened(1, "c1", "get", "/strong/x"), opened(3, "c2", "get", "/other/x"), opened(5, "c1", "get", "/weak/x"), opened(7, "c2", "get", "/weak/x")},
			[]string{"other get [4]", "strong get [2 6 8]"},
		},
		{
			"a value that the hit lacks", map[string]string{"strong": coverRule("strong", "high", 10, "covers: [{rules: [weak], same: [host]}]"), "weak": weak},
			[][]mcpsf.Event{opened(1, "c1", "get", "/all/x")}, []string{"strong get [2]", "weak get [2]"},
		},
		{
			"covered by what is covered", map[string]string{
				"strong": coverRule("strong", "high", 10, "covers: [{rules: [middle], same: [tool]}]"), "middle": coverRule("middle", "medium", 5, byTool), "weak": weak,
			},
			[][]mcpsf.Event{opened(1, "c1", "get", "/all/x")}, []string{"strong get [2]"},
		},
		{
			"each covers the other, the condition holds", map[string]string{
				"a": coverRule("a", "high", 10, "covers: [{rules: [b], same: [tool]}]"),
				"b": coverRule("b", "high", 10, `covers: [{rules: [a], same: [tool], when: 'Path == "/b/sure"'}]`),
			},
			[][]mcpsf.Event{opened(1, "c1", "get", "/a/x"), opened(3, "c1", "get", "/b/sure")}, []string{"b get [2 4]"},
		},
		{
			"each covers the other, the condition does not hold", map[string]string{
				"a": coverRule("a", "high", 10, "covers: [{rules: [b], same: [tool]}]"),
				"b": coverRule("b", "high", 10, `covers: [{rules: [a], same: [tool], when: 'Path == "/b/sure"'}]`),
			},
			[][]mcpsf.Event{opened(1, "c1", "get", "/a/x"), opened(3, "c1", "get", "/b/x")}, []string{"a get [2 4]"},
		},
		{
			"each covers the other, no condition", map[string]string{
				"a": coverRule("a", "high", 10, "covers: [{rules: [b], same: [tool]}]"), "b": coverRule("b", "high", 10, "covers: [{rules: [a], same: [tool]}]"),
			},
			[][]mcpsf.Event{opened(1, "c1", "get", "/all/x")}, []string{"b get [2]"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set, err := loadRules(tt.rules)
			if err != nil {
				t.Fatal(err)
			}
			var events []mcpsf.Event
			for _, list := range tt.events {
				events = append(events, list...)
			}
			var got []string
			for _, f := range evaluate(t, set, events, testScope()) {
				got = append(got, fmt.Sprint(f.ID, " ", f.Tool, " ", f.Evidence))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The remaining finding has most of its own evidence and some of the covered finding's.
func TestCoverKeepsEvidence(t *testing.T) {
	set, err := loadRules(map[string]string{
		"strong": coverRule("strong", "high", 10, "covers: [{rules: [weak], same: [tool]}]"), "weak": coverRule("weak", "low", 5, ""),
	})
	if err != nil {
		t.Fatal(err)
	}
	var events []mcpsf.Event
	for i := range int64(20) {
		events = append(events, opened(4*i+1, "c1", "get", "/strong/x")...)
		events = append(events, opened(4*i+3, "c1", "get", "/weak/x")...)
	}
	got := evaluate(t, set, events, testScope())
	if len(got) != 1 {
		t.Fatal(got)
	}
	if diff := cmp.Diff([]int64{2, 4, 6, 8, 10, 12, 14, 16, 18, 22}, got[0].Evidence); diff != "" || got[0].Occurrences != 20 {
		t.Error(got[0].Occurrences, diff)
	}
}

// No rule may cover a finding that is more severe, more certain or heavier.
func TestCoversAreChecked(t *testing.T) {
	for _, tt := range []struct{ name, strong, want string }{
		{"less severe", coverRule("strong", "low", 50, "covers: [{rules: [weak], same: [tool]}]"), "weak is more severe than this rule"},
		{"weighs less", coverRule("strong", "high", 1, "covers: [{rules: [weak], same: [tool]}]"), "weak weighs more than this rule"},
		{"less certain", strings.Replace(coverRule("strong", "high", 9, "covers: [{rules: [weak], same: [tool]}]"), "proved", "suspected", 1), "weak is more certain than this rule"},
		{"a weakness covers an attack", strings.Replace(coverRule("strong", "high", 9, "covers: [{rules: [weak], same: [tool]}]"), "behaviour", "weakness", 1), "weak answers a graver question than this rule"},
		{"itself", coverRule("strong", "high", 9, "covers: [{rules: [strong], same: [tool]}]"), `strong.yaml:10: covers: "strong" must be the id of another rule`},
		{"no rules", coverRule("strong", "high", 9, "covers: [{same: [tool]}]"), "rules and same are needed"},
		{"nothing in common", coverRule("strong", "high", 9, "covers: [{rules: [weak]}]"), "rules and same are needed"},
		{"an unknown field", coverRule("strong", "high", 9, "covers: [{rules: [weak], same: [pid]}]"), `same: "pid" must be one of tool,`},
		{"a broken condition", coverRule("strong", "high", 9, "covers: [{rules: [weak], same: [tool], when: Nothing}]"), "strong.yaml:10: when: unknown name Nothing"},
	} {
		_, err := loadRules(map[string]string{"strong": tt.strong, "weak": coverRule("weak", "medium", 5, "")})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// A rule of a folder may cover a built-in rule that exists and is not more severe.
func TestOwnRuleCovers(t *testing.T) {
	for id, want := range map[string]string{
		"home-folder-created": "", "home-folder-creatd": "did you mean home-folder-created?", "secret-exfiltration": "is more severe",
	} {
		own, err := loadRules(map[string]string{"strong": coverRule("strong", "high", 9, "covers: [{rules: ["+id+"], same: [tool]}]")})
		if err != nil {
			t.Fatal(err)
		}
		_, err = builtinSet(t).With(own)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// The trace of a covered rule says that it fired and which finding is reported.
func TestTraceOfACoveredRule(t *testing.T) {
	set, err := loadRules(map[string]string{
		"strong": coverRule("strong", "high", 10, "covers: [{rules: [weak], same: [tool]}]"), "weak": coverRule("weak", "low", 5, ""),
	})
	if err != nil {
		t.Fatal(err)
	}
	events := append(opened(1, "c1", "get", "/weak/x"), opened(3, "c2", "get", "/strong/x")...)
	got, err := set.Trace("weak", events, nil, testScope(), 3)
	if err != nil || !got.Fired() || len(got.Covered) != 1 || got.Covered[0].By.ID != "strong" || got.Covered[0].Finding.ID != "weak" {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = set.Trace("weak", events[:2], nil, testScope(), 3)
	if err != nil || !got.Fired() || len(got.Covered) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
