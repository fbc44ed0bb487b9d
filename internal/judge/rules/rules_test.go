package rules_test

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/judge/rules/condition"
)

var update = flag.Bool("update", false, "write docs/rules.md and docs/rule-conditions.md")

func builtin(t testing.TB) *rules.Set {
	t.Helper()
	set, err := rules.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestBuiltinRulesPassTheirOwnTests(t *testing.T) {
	if err := builtin(t).Test(); err != nil {
		t.Error(err)
	}
}

// The reference page is generated; run the test with -update after a change.
func TestRulesPageIsUpToDate(t *testing.T) {
	const page = "../../../docs/rules.md"
	want := rules.Markdown(builtin(t))
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/rules.md differs, run go test ./internal/judge/rules -update (-want +got):\n%s", diff)
	}
}

// So is the reference page of conditions.
func TestConditionsPageIsUpToDate(t *testing.T) {
	const page = "../../../docs/rule-conditions.md"
	want := condition.Reference()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/rule-conditions.md differs, run make generate (-want +got):\n%s", diff)
	}
}
