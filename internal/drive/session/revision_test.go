package session_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

const (
	known      = `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1"}}}`
	notFound   = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}` + "\n"
	wrongOffer = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":%s}}}` + "\n"
)

func TestRevisions(t *testing.T) {
	only := func(versions string) func(rpc, string) string {
		return func(r rpc, usual string) string {
			if r.Method == "initialize" && !strings.Contains(versions, r.Params.ProtocolVersion) {
				return fmt.Sprintf(wrongOffer, r.ID, versions)
			}
			if r.Method == "initialize" {
				return strings.ReplaceAll(usual, "2025-11-25", r.Params.ProtocolVersion)
			}
			return usual
		}
	}
	stateless := func(r rpc, usual string) string {
		switch {
		case r.Method == "server/discover" && r.Params.Meta["io.modelcontextprotocol/protocolVersion"] != nil:
			return response(r.ID, known) + "\n"
		case r.Method == "initialize" || r.Params.Meta["io.modelcontextprotocol/clientInfo"] == nil:
			return fmt.Sprintf(notFound, r.ID)
		case r.Method == "subscriptions/listen":
			return ""
		}
		return usual
	}
	tests := map[string]struct {
		offer    string
		change   func(rpc, string) string
		protocol string
		statuses string
	}{
		"the newest":      {protocol: "2025-11-25", statuses: fine},
		"an older offer":  {offer: "2024-11-05", change: only(`["2024-11-05"]`), protocol: "2024-11-05", statuses: fine},
		"wants an older":  {change: only(`["1999-01-01","2024-11-05","2025-03-26"]`), protocol: "2025-03-26", statuses: "c1 initialize refused, c2 initialize ok, c3 tools/list ok, c4 tools/call ok"},
		"has no sessions": {change: stateless, protocol: "2026-07-28", statuses: "c1 initialize refused, c2 server/discover ok, c3 subscriptions/listen ok, c4 tools/list ok, c5 tools/call ok"},
		"offered none":    {offer: "2026-07-28", change: stateless, protocol: "2026-07-28", statuses: "c1 server/discover ok, c2 subscriptions/listen ok, c3 tools/list ok, c4 tools/call ok"},
		"does not know what that is": {offer: "2026-07-28", change: func(r rpc, usual string) string {
			if r.Method == "server/discover" {
				return fmt.Sprintf(notFound, r.ID)
			}
			return usual
		}, protocol: "2025-11-25", statuses: "c1 server/discover refused, c2 initialize ok, c3 tools/list ok, c4 tools/call ok"},
		"refuses all": {change: func(r rpc, _ string) string { return fmt.Sprintf(notFound, r.ID) }, statuses: "c1 initialize refused, c2 server/discover refused"},
		"leads in circles": {change: func(r rpc, _ string) string {
			return fmt.Sprintf(wrongOffer, r.ID, `["2024-11-05","2026-07-28"]`)
		}, statuses: "c1 initialize refused, c2 server/discover refused, c3 server/discover refused"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := drive(t, scripted(test.change), &session.Options{Revision: test.offer})
				if s.Protocol != test.protocol || statuses(s) != test.statuses {
					t.Errorf("%q: %s", s.Protocol, statuses(s))
				}
				if diff := cmp.Diff([]string(nil), s.Irregularities); diff != "" {
					t.Errorf("irregularities (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A server without sessions asks the client in its result.
func TestAsksBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rounds := 0
		s, _ := drive(t, scripted(func(r rpc, usual string) string {
			switch r.Method {
			case "server/discover":
				return response(r.ID, strings.Replace(known, `"listChanged":true`, "", 1)) + "\n"
			case "tools/call":
				rounds++
				if rounds == 1 {
					return response(r.ID, `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"sampling/createMessage","params":{}},"x":7,"y":{"method":"format/disk"}}}`) + "\n"
				}
				if got, want := string(r.Params.InputResponses), `"text":"spoken"`; !strings.Contains(got, want) || strings.Contains(got, `"y"`) || r.Params.RequestState != "s" {
					t.Errorf("answered with %s %s", r.Params.RequestState, got)
				}
			}
			return usual
		}), &session.Options{Revision: "2026-07-28", Answers: session.Answers{Sampling: "spoken"}})
		if rounds != 2 || s.Irregularities != nil {
			t.Errorf("%d rounds: %s %v", rounds, statuses(s), s.Irregularities)
		}
	})
}

// It may not ask for ever.
func TestAsksBackForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := drive(t, scripted(func(r rpc, usual string) string {
			switch r.Method {
			case "server/discover":
				return response(r.ID, known) + "\n"
			case "tools/call":
				return response(r.ID, `{"resultType":"input_required","inputRequests":{"q":{"method":"ping"}}}`) + "\n"
			}
			return usual
		}), &session.Options{Revision: "2026-07-28"})
		if n := strings.Count(statuses(s), "tools/call"); n != 9 {
			t.Errorf("it was asked %d times", n)
		}
	})
}

func TestTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		polls := 0
		s, tap := drive(t, scripted(func(r rpc, usual string) string {
			task := func(status string) string {
				return fmt.Sprintf(`{"taskId":"t","status":%q,"pollInterval":1e300}`, status)
			}
			switch r.Method {
			case "initialize":
				return strings.Replace(usual, `"tools":{}`, `"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`, 1)
			case "tools/list":
				return response(r.ID, `{"tools":[{"name":"long","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}},{"name":"either","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},{"name":"plain","inputSchema":{"type":"object"}}]}`) + "\n"
			case "tools/call":
				if r.Params.Task != nil {
					return response(r.ID, `{"task":`+task("working")+`}`) + "\n"
				}
				return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, r.ID) + "\n" + usual
			case "tasks/get":
				polls++
				return response(r.ID, task([]string{"working", "completed"}[(polls+1)%2])) + "\n"
			case "tasks/result":
				return response(r.ID, done) + "\n"
			case "tasks/cancel":
				return response(r.ID, task("cancelled")) + "\n"
			case "tasks/list":
				return response(r.ID, `{"tasks":[]}`) + "\n"
			}
			return usual
		}), &session.Options{Inputs: session.Inputs{Rounds: 2}})
		want := []string{
			"initialize", "tools/list", "tools/call long", "tasks/get", "tasks/get", "tasks/result", "tools/call either", "tools/call plain", "ping",
			"tools/call long", "tasks/cancel", "tools/call either", "tasks/get", "tasks/get", "tasks/result", "tasks/list",
		}
		var got []string
		for _, c := range s.Calls[:min(len(want), len(s.Calls))] {
			got = append(got, strings.TrimSpace(c.Method+" "+c.Tool))
			if c.Status != mcpsf.CallOK {
				t.Errorf("%s %s %s", c.Method, c.Status, c.Note)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string(nil), s.Irregularities); diff != "" {
			t.Errorf("irregularities (-want +got):\n%s", diff)
		}
		if told := tap.of(mcpsf.Stdout, mcpsf.MessageNotification); len(told) == 0 || told[0].Tool != "either" || told[0].Call != "c7" {
			t.Errorf("progress is told as %+v", told)
		}
	})
}

// meta is the metadata of a request.
type meta map[string]json.RawMessage
