package launch

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// A variable that a tool asks for is set at the next start. An argument is none, nor is
// one that is set already or would run something.
func TestAsked(t *testing.T) {
	home, err := decoys.Mint(1, time.Unix(1_700_000_000, 0))
	if err != nil {
		t.Fatal(err)
	}
	p := &Planner{Seed: 1, Home: &home, Artifact: &mcpsf.Artifact{Name: "search"}}
	for refusal, want := range map[string]string{
		"search error (401): API key must be provided as an argument or as an environment variable (EXA_API_KEY)":    "EXA_API_KEY",
		`[{"code":"invalid_type","expected":"string","received":"undefined","path":["query"],"message":"Required"}]`: "",
		"Error: BRAVE_API_KEY environment variable is required":                                                      "",
		"NODE_OPTIONS environment variable is required":                                                              "",
		"nothing was found": "",
	} {
		try := &Launch{Command: []string{"node", "x.js"}, Env: []string{"BRAVE_API_KEY=abc"}, Vars: []string{"BRAVE_API_KEY=abc"}}
		got := p.Asked(try, refusal)
		switch {
		case want == "" && got != nil:
			t.Errorf("%s: %v", refusal, got.Vars)
		case want != "" && (got == nil || !slices.ContainsFunc(got.Env, func(kv string) bool { return strings.HasPrefix(kv, want+"=") })):
			t.Errorf("%s: %+v", refusal, got)
		case got != nil && !slices.Equal(try.Vars, []string{"BRAVE_API_KEY=abc"}):
			t.Error("the first way was changed")
		}
	}
}
