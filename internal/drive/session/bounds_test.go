package session_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// hiding is a server that lists what lists says for each method, and records
// what is asked of it: names of tools and prompts, addresses, arguments.
func hiding(asked *[]string, lists func(method, cursor string) string) *process {
	return scripted(func(r rpc, usual string) string {
		switch r.Method {
		case "initialize":
			return strings.Replace(usual, `"tools":{}`, `"tools":{},"resources":{},"prompts":{},"completions":{}`, 1)
		case "tools/call":
			*asked = append(*asked, r.Params.Name+string(r.Params.Arguments))
			return usual
		case "resources/read", "prompts/get":
			*asked = append(*asked, r.Params.URI+r.Params.Name)
			return response(r.ID, `{"contents":[],"messages":[]}`) + "\n"
		case "completion/complete":
			return response(r.ID, `{"completion":{"values":[]}}`) + "\n"
		}
		if list := lists(r.Method, r.Params.Cursor); list != "" {
			return response(r.ID, list) + "\n"
		}
		if key, ok := strings.CutSuffix(r.Method, "/list"); ok {
			return response(r.ID, `{"`+strings.Replace(key, "resources/templates", "resourceTemplates", 1)+`":[]}`) + "\n"
		}
		return usual
	})
}

// many repeats an entry with its number, n times.
func many(n int, format string) string {
	entries := make([]string, n)
	for i := range entries {
		entries[i] = strings.ReplaceAll(format, "#", strconv.Itoa(i))
	}
	return strings.Join(entries, ",")
}

// codes are the gaps of a session without the standing ones.
func codes(s *mcpsf.Session) []mcpsf.Gap {
	var list []mcpsf.Gap
	for _, g := range s.Gaps {
		list = append(list, mcpsf.Gap{Code: g.Code, Limit: g.Limit, Count: g.Count, Hides: g.Hides})
	}
	return list
}

// Each server hides a tool, resource or prompt behind a bound. It is used all the
// same, or the session says that it was not.
func TestNothingHidesBehindABound(t *testing.T) {
	const thief = `{"name":"thief","inputSchema":{"type":"object"}}`
	longName := strings.Repeat("n", 3000)
	only := func(method, list string) func(string, string) string {
		return func(asked, _ string) string {
			if asked == method {
				return list
			}
			return ""
		}
	}
	tests := map[string]struct {
		lists func(method, cursor string) string
		asked string // what must have been asked for, "" if it cannot be
		gaps  []mcpsf.Gap
	}{
		"page 1002": {
			lists: func(method, cursor string) string {
				n, _ := strconv.Atoi(cursor)
				if method != "tools/list" {
					return ""
				}
				if n == 1001 {
					return `{"tools":[` + thief + `]}`
				}
				return fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, n+1)
			},
			gaps: []mcpsf.Gap{{Code: gap.ListPages, Limit: 1000, Hides: true}},
		},
		"behind nulls":      {lists: only("tools/list", `{"tools":[`+strings.Repeat("null,", 10_050)+thief+`]}`), asked: "thief{}"},
		"behind other keys": {lists: only("tools/list", `{"tools":[`+thief+`],"Tools":[],"TOOLS":[]}`), asked: "thief{}"},
		"behind a cursor that is a number": {
			lists: only("tools/list", `{"tools":[],"nextCursor":7}`),
			gaps:  []mcpsf.Gap{{Code: gap.ListCursor, Limit: 64 << 10, Hides: true}},
		},
		"behind a repeated cursor": {
			lists: func() func(string, string) string {
				n := 0
				return func(method, cursor string) string {
					if method != "tools/list" {
						return ""
					}
					if n++; cursor == "" {
						n = 1
					}
					if n == 4 {
						return `{"tools":[` + thief + `]}`
					}
					return fmt.Sprintf(`{"tools":[{"name":"t%d","inputSchema":{}}],"nextCursor":"1"}`, n)
				}
			}(),
			asked: "thief{}",
		},
		"behind 10000 tools of no use": {
			lists: only("resources/list", `{"resources":[`+many(10_001, `{"uri":"x://#"}`)+`]}`),
			asked: "x://1999",
			gaps: []mcpsf.Gap{
				{Code: gap.ListEntries, Limit: 10_000, Count: 1, Hides: true},
				{Code: gap.ResourcesNotRead, Limit: 2000, Count: 8000, Hides: true},
			},
		},
		"a long name":    {lists: only("tools/list", `{"tools":[{"name":"`+longName+`","inputSchema":{}}]}`), asked: longName + "{}"},
		"a long address": {lists: only("resources/list", `{"resources":[{"uri":"x://`+longName+`"}]}`), asked: "x://" + longName},
		"a large schema": {
			lists: only("tools/list", `{"tools":[{"name":"t","inputSchema":{"type":"object","description":"`+strings.Repeat("x", 300<<10)+`","required":["a"],"properties":{"a":{"const":5}}}}]}`),
			asked: `t{"a":5}`,
		},
		"a huge schema": {
			lists: only("tools/list", `{"tools":[{"name":"t","inputSchema":{"type":"object","description":"`+strings.Repeat("x", 2<<20)+`"}}]}`),
			asked: "t{}", gaps: []mcpsf.Gap{{Code: gap.SchemaSize, Limit: 1 << 20, Hides: true}},
		},
		"a tool that demands 65 elements": {
			lists: only("tools/list", `{"tools":[{"name":"t","inputSchema":{"type":"object","required":["a"],"properties":{"a":{"type":"array","items":{"const":1},"minItems":65}}}}]}`),
			asked: `t{"a":[1` + strings.Repeat(",1", 64) + `]}`,
		},
		"a tool that demands 1001 elements": {
			lists: only("tools/list", `{"tools":[{"name":"t","inputSchema":{"type":"object","required":["a"],"properties":{"a":{"type":"array","items":{"const":1},"minItems":1001}}}}]}`),
			gaps:  []mcpsf.Gap{{Code: gap.InputsTooLarge, Hides: true}},
		},
		"the 51st resource": {lists: only("resources/list", `{"resources":[`+many(60, `{"uri":"x://#"}`)+`]}`), asked: "x://59"},
		"the 51st prompt":   {lists: only("prompts/list", `{"prompts":[`+many(60, `{"name":"p#"}`)+`]}`), asked: "p59"},
		"many prompts": {
			lists: only("prompts/list", `{"prompts":[`+many(2100, `{"name":"p#"}`)+`]}`), asked: "p1999",
			gaps: []mcpsf.Gap{{Code: gap.PromptsNotRead, Limit: 2000, Count: 100, Hides: true}},
		},
		"the 21st template": {lists: only("resources/templates/list", `{"resourceTemplates":[`+many(30, `{"uriTemplate":"x://#"}`)+`]}`), asked: "x://29"},
		"many templates": {
			lists: only("resources/templates/list", `{"resourceTemplates":[`+many(501, `{"uriTemplate":"x://#"}`)+`]}`), asked: "x://499",
			gaps: []mcpsf.Gap{{Code: gap.TemplatesNotRead, Limit: 500, Count: 1, Hides: true}},
		},
		"many completions": {
			lists: only("prompts/list", `{"prompts":[`+many(501, `{"name":"p#","arguments":[{"name":"a"}]}`)+`]}`), asked: "p500",
			gaps: []mcpsf.Gap{{Code: gap.CompletionsNotMade, Limit: 500, Hides: true}},
		},
		"twice under one name": {
			lists: only("tools/list", `{"tools":[{"name":"t","inputSchema":{"type":"object","required":["a"],"properties":{"a":{"const":1}}}},`+
				`{"name":"t","inputSchema":{"type":"object","required":["b"],"properties":{"b":{"const":2}}}}]}`),
			asked: `t{"b":2}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked []string
				s, _ := drive(t, hiding(&asked, test.lists), &session.Options{Inputs: session.Inputs{Rounds: 2}})
				if diff := cmp.Diff(test.gaps, codes(s)); diff != "" {
					t.Errorf("gaps (-want +got):\n%s", diff)
				}
				if test.asked != "" && !slices.Contains(asked, test.asked) {
					t.Errorf("%.100q was never asked for, only %.300q", test.asked, asked)
				}
			})
		})
	}
}

// A name that is defined twice is reported, and both definitions are called.
func TestDuplicateTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		list := `{"tools":[{"name":"t","description":"Reads.","inputSchema":{"type":"object","properties":{"a":{"const":1}},"required":["a"]}},` +
			`{"name":"t","description":"Sends.","inputSchema":{"type":"object"}},{"name":"u","inputSchema":{}},{"name":"u","inputSchema":{}}]}`
		s, tap := drive(t, hiding(&asked, func(method, _ string) string {
			if method == "tools/list" {
				return list
			}
			return ""
		}), &session.Options{Inputs: session.Inputs{Rounds: 3}})
		var names []string
		for _, c := range tap.changes {
			if c.Since != mcpsf.SinceListed {
				t.Errorf("a change since %q: %+v", c.Since, c)
			}
			names = append(names, c.Name+" "+c.Field)
		}
		if diff := cmp.Diff([]string{"t description", "t inputSchema"}, names); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
		if !slices.Contains(asked, `t{"a":1}`) || !slices.Contains(asked, "t{}") {
			t.Errorf("asked %q", asked)
		}
		if !slices.Contains(s.Irregularities, "listed a tool twice with different definitions") {
			t.Errorf("irregularities %q", s.Irregularities)
		}
	})
}

// A phase that time ended says what it left out.
func TestTimeIsAGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tool := `{"name":"t#","inputSchema":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}}`
		s, _ := drive(t, scripted(func(r rpc, usual string) string {
			switch r.Method {
			case "tools/list":
				return response(r.ID, `{"tools":[`+many(40, tool)+`]}`) + "\n"
			case "tools/call":
				time.Sleep(900 * time.Millisecond)
			}
			return usual
		}), &session.Options{Inputs: session.Inputs{Rounds: 2, Words: func() []string { return []string{"open", "sesame"} }}})
		var got []mcpsf.GapCode
		for _, g := range s.Gaps {
			got = append(got, g.Code)
			if g.Limit != 40 || g.Count < 5 || g.Count > 20 {
				t.Errorf("%+v", g)
			}
		}
		if diff := cmp.Diff([]mcpsf.GapCode{gap.CallsNotRepeated, gap.WordsNotSent}, got); diff != "" {
			t.Errorf("gaps (-want +got):\n%s", diff)
		}
		if raw, err := json.Marshal(s); err != nil || strings.Contains(string(raw), "words-not-sent") {
			t.Errorf("the gaps are in the session of the report: %v", err)
		}
	})
}
