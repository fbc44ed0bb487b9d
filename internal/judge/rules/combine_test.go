package rules

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
)

func rulesNamed(t *testing.T, names ...string) *Set {
	t.Helper()
	fsys := fstest.MapFS{}
	for _, id := range names {
		fsys[id+".yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(good, "id: sample", "id: "+id, 1))}
	}
	set, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func idsOf(s *Set) []string {
	var out []string
	for _, r := range s.Rules() {
		out = append(out, r.ID)
	}
	return out
}

func TestWith(t *testing.T) {
	both, err := rulesNamed(t, "b", "d").With(rulesNamed(t, "a", "c"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, idsOf(both)); diff != "" {
		t.Error(diff)
	}
	if _, err := both.With(rulesNamed(t, "c", "d", "e")); err == nil || mcpsf.ErrorCode(err) != mcpsf.CodeUsage ||
		!strings.Contains(err.Error(), `c.yaml:1: there is another rule "c"`) || !strings.Contains(err.Error(), `d.yaml:1:`) {
		t.Errorf("got %v", err)
	}
	if _, err := builtinSet(t).With(rulesNamed(t, "beaconing")); err == nil || !strings.Contains(err.Error(), `there is a built-in rule "beaconing"`) {
		t.Errorf("got %v", err)
	}
}

func TestOnly(t *testing.T) {
	set := rulesNamed(t, "decoy-read", "decoy-sent", "beaconing", "shell")
	tests := []struct {
		names string
		want  []string
		err   string
	}{
		{"beaconing", []string{"beaconing"}, ""},
		{"decoy-*,shell", []string{"decoy-read", "decoy-sent", "shell"}, ""},
		{"decoy-*,-decoy-sent", []string{"decoy-read"}, ""},
		{"-decoy-*", []string{"beaconing", "shell"}, ""},
		{"*", []string{"beaconing", "decoy-read", "decoy-sent", "shell"}, ""},
		{"beconing", nil, `there is no detector "beconing"; did you mean beaconing?`},
		{"-decoy-red", nil, `there is no detector "decoy-red"; did you mean decoy-read?`},
		{"shell,-*", nil, "leaves no detector at all"},
		{"[", nil, "is no pattern"},
		{"", nil, "there is no detector"},
	}
	for _, tt := range tests {
		got, err := set.Only(strings.Split(tt.names, ","))
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) || mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
				t.Errorf("%q: got %v, want %s", tt.names, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", tt.names, err)
			continue
		}
		if diff := cmp.Diff(tt.want, idsOf(got)); diff != "" {
			t.Errorf("%q: %s", tt.names, diff)
		}
	}
}

// A judgement by fewer rules notes which were left out.
func TestOnlyIsNoted(t *testing.T) {
	set, err := rulesNamed(t, "a", "b", "c").Only([]string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	judged, err := set.Evaluate(nil, nil, testScope())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]mcpsf.Gap{{Code: gap.RulesLeftOut, Text: "rules: what 2 detectors look for that were left out: b, c"}}, judged.Notes); diff != "" {
		t.Error(diff)
	}
}

// Adding a rule adds only that rule's findings.
func TestRulesDoNotChangeEachOther(t *testing.T) {
	one, two := builtinSet(t), rulesNamed(t, "sample")
	both, err := one.With(two)
	if err != nil {
		t.Fatal(err)
	}
	events := []mcpsf.Event{decoyRead("", "ssh-key", "/home/dev/.ssh/id_rsa"), {Kind: mcpsf.KindFileOpen, File: &mcpsf.FileDetail{Path: "/x", Flags: "w"}}}
	before, after := evaluate(t, one, events, testScope()), evaluate(t, both, events, testScope())
	var rest []mcpsf.Finding
	for _, f := range after {
		if f.ID != "sample" {
			rest = append(rest, f)
		}
	}
	if diff := cmp.Diff(before, rest); diff != "" || len(after) != len(before)+1 {
		t.Error(diff, ids(after))
	}
}

// The example rule passes its own tests and can be combined with the built-in rules.
func TestExampleRule(t *testing.T) {
	set, err := Load(os.DirFS("../../../examples/custom-rule"))
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Test(); err != nil {
		t.Error(err)
	}
	if _, err := builtinSet(t).With(set); err != nil {
		t.Error(err)
	}
}
