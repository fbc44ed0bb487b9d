package npm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
)

// past makes a packument: each version is "VERSION DATE PUBLISHER" and, if it
// is attested, "attested", if a build system published it, "robot".
func past(t *testing.T, versions ...string) *packument {
	t.Helper()
	var all, times []string
	for _, line := range versions {
		f := strings.Fields(line)
		attestations, robot := "{}", ""
		if strings.Contains(line, "attested") {
			attestations = `{"url":"https://registry.example/a","provenance":{}}`
		}
		if strings.Contains(line, "robot") {
			robot = `,"trustedPublisher":{"id":"github"}`
		}
		all = append(all, fmt.Sprintf(`%q:{"_npmUser":{"name":%q%s},"dist":{"attestations":%s}}`, f[0], f[2], robot, attestations))
		times = append(times, fmt.Sprintf(`%q:"%sT10:00:00.000Z"`, f[0], f[1]))
	}
	var d packument
	if err := json.Unmarshal([]byte(`{"versions":{`+strings.Join(all, ",")+`},"time":{`+strings.Join(times, ",")+`}}`), &d); err != nil {
		t.Fatal(err)
	}
	return &d
}

func TestHistory(t *testing.T) {
	usual := []string{"1.0.0 2024-01-01 anna", "1.1.0 2024-02-01 anna", "1.2.0 2024-03-01 bert"}
	for name, tt := range map[string]struct {
		versions []string
		want     []string
	}{
		"the usual one":         {append(usual, "1.3.0 2024-04-01 anna"), nil},
		"somebody else":         {append(usual, "1.3.0 2024-04-01 mallory"), []string{published.FactPublisher}},
		"too short a past":      {[]string{"1.0.0 2024-01-01 anna", "1.3.0 2024-04-01 bert"}, nil},
		"later ones say little": {append(usual[:2:2], "1.3.0 2024-04-01 mallory", "1.4.0 2025-01-01 anna", "1.5.0 2025-02-01 anna"), nil},
		"after years":           {append(usual, "1.3.0 2026-04-01 anna"), []string{published.FactPause}},
		"by the build":          {append(usual, "1.3.0 2024-04-01 builder attested robot"), nil},
		"no longer attested": {
			[]string{"1.0.0 2024-01-01 anna attested", "1.1.0 2024-02-01 anna attested", "1.3.0 2024-04-01 anna"}, []string{published.FactUnattested},
		},
		"stolen from the build": {
			[]string{"1.0.0 2024-01-01 b attested robot", "1.1.0 2024-02-01 b attested robot", "1.2.0 2024-02-02 b attested robot", "1.3.0 2024-04-01 mallory"},
			[]string{published.FactPublisher, published.FactUnattested},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := past(t, tt.versions...).history("1.3.0")
			var got []string
			for _, f := range h.facts() {
				if f.Kind == published.FactFirst {
					if f.Text != "2024-01-01" {
						t.Errorf("first published %s", f.Text)
					}
					continue
				}
				got = append(got, f.Kind)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
		})
	}
}

// A registry that states nothing, or nonsense, gives no facts.
func TestHistoryOfNothing(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"versions":{"1.3.0":{}}}`, `{"versions":{"1.3.0":7,"1.0.0":null},"time":[]}`,
		`{"versions":{"1.3.0":{"_npmUser":"x","dist":[]}},"time":{"1.3.0":"yesterday"}}`,
	} {
		var d packument
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		if facts := d.history("1.3.0").facts(); len(facts) > 0 {
			t.Errorf("%s gives %+v", text, facts)
		}
	}
}
