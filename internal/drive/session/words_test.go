package session_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// Every tool gets words of the source, also the last of many, and also as an id.
func TestWordsForEveryTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tools = 60
		tool := `{"name":"t#","inputSchema":{"type":"object","properties":{"account_id":{"type":"string"}},"required":["account_id"]}}`
		got := map[string]bool{}
		drive(t, scripted(func(r rpc, usual string) string {
			switch r.Method {
			case "tools/list":
				return response(r.ID, `{"tools":[`+many(tools, tool)+`]}`) + "\n"
			case "tools/call":
				for _, word := range []string{"platinum", "suspended"} {
					if strings.Contains(string(r.Params.Arguments), `"account_id":"`+word+`"`) {
						got[r.Params.Name+" "+word] = true
					}
				}
			}
			return usual
		}), &session.Options{Inputs: session.Inputs{Rounds: 1, Words: func() []string { return []string{"platinum", "suspended"} }}})
		if len(got) != 2*tools {
			t.Errorf("%d of %d calls with a word", len(got), 2*tools)
		}
	})
}
