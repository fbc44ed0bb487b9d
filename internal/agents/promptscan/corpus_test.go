package promptscan

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// textCase is one text of testdata and what has to be found in it.
type textCase struct {
	name, of string
	// want are the kinds of which at least one has to be found.
	want []mcpsf.TextKind
	raw  json.RawMessage
}

func casesOf(t testing.TB, file string) []textCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []textCase
	for part := range strings.SplitSeq("\n"+string(data), "\n=== ") {
		head, body, ok := strings.Cut(part, "\n")
		if !ok || head == "" {
			continue
		}
		out = append(out, newCase(t, head, body))
	}
	return out
}

func newCase(t testing.TB, name, body string) textCase {
	t.Helper()
	c := textCase{name: name, of: "tool"}
	for {
		if v, ok := strings.CutPrefix(body, "of: "); ok {
			c.of, body, _ = strings.Cut(v, "\n")
			continue
		}
		v, ok := strings.CutPrefix(body, "want: ")
		if !ok {
			break
		}
		line, rest, _ := strings.Cut(v, "\n")
		body = rest
		for k := range strings.FieldsSeq(line) {
			c.want = append(c.want, mcpsf.TextKind(k))
		}
	}
	body = strings.TrimSpace(body)
	c.raw = json.RawMessage(body)
	if !strings.HasPrefix(body, "{") {
		raw, err := json.Marshal(map[string]string{"name": "example", "description": body})
		if err != nil {
			t.Fatal(err)
		}
		c.raw = raw
	}
	if !json.Valid(c.raw) {
		t.Fatalf("%s: not JSON", name)
	}
	return c
}

func (c *textCase) scan() []mcpsf.TextDetail {
	var head struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(c.raw, &head); err != nil {
		return nil
	}
	found, _ := Scan(c.of, head.Name, c.raw, NamesOf("example", "search_code", "resolve-library-id", "login"))
	return found
}

// TestCorpus: every attack is found by one of the kinds it asks for, and no
// honest text is reported.
//
// The texts of held were judged once before they were used to improve the
// grammar: 59 of 65 attacks were found then, and 1 of 73 honest texts was
// reported. Both halves have one author; for texts of others, expect less: of
// 32 texts by somebody who had not seen the grammar, 7 were found. They are at
// the end of tune, except for two that honest servers write, too.
func TestCorpus(t *testing.T) {
	for _, half := range []string{"tune", "held"} {
		t.Run(half, func(t *testing.T) {
			missed, alarms := 0, 0
			attacks := casesOf(t, "testdata/"+half+"/attack.txt")
			for _, c := range attacks {
				found := c.scan()
				if !slices.ContainsFunc(found, func(d mcpsf.TextDetail) bool { return slices.Contains(c.want, d.What) }) {
					missed++
					t.Errorf("missed %q: want one of %v, got %v", c.name, c.want, found)
				}
			}
			honest := casesOf(t, "testdata/"+half+"/benign.txt")
			for _, c := range honest {
				if found := c.scan(); len(found) > 0 {
					alarms++
					t.Errorf("false alarm %q: %v", c.name, found)
				}
			}
			t.Logf("%s: %d of %d attacks found, %d of %d honest texts taken for one", half, len(attacks)-missed, len(attacks), alarms, len(honest))
		})
	}
}
