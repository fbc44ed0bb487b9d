package history

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
)

// Every text of a call is looked for, however many there are, and a call with
// more texts than that is a gap.
func TestManyTextsOfOneCall(t *testing.T) {
	for _, tt := range []struct {
		texts, at int
		want      bool
		full      int
	}{{17, 16, true, 0}, {300, 299, true, 0}, {maxTexts + 1, 0, true, maxTexts}} {
		r := New(declared.New(declared.Scope{}))
		see := r.Foresee()
		args := map[string]string{}
		for i := range tt.texts {
			args[fmt.Sprintf("a%04d", i)] = fmt.Sprintf("value number %04d of the form", i)
		}
		body, err := json.Marshal(map[string]any{"name": "send", "arguments": args})
		if err != nil {
			t.Fatal(err)
		}
		see(&mcpsf.Event{Kind: mcpsf.KindMCPRequest, Call: "c1", MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: "send", Body: body}})
		see(&mcpsf.Event{
			Seq: 7, Kind: mcpsf.KindNetHTTP, Call: "c1", Net: &mcpsf.NetDetail{Family: "ip4", Name: "x.example"},
			HTTP: &mcpsf.HTTPDetail{Method: "POST", URL: "https://x.example/", Body: strings.Repeat("value ", 100) + args[fmt.Sprintf("a%04d", tt.at)]},
		})
		if got := len(r.Traffic.Carried[7]) == 1; got != tt.want {
			t.Errorf("%d texts: %q", tt.texts, r.Traffic.Carried[7])
		}
		if got := r.Full(); got != tt.full {
			t.Errorf("%d texts: full %d", tt.texts, got)
		}
	}
}
