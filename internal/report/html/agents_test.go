package html

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestAgents(t *testing.T) {
	cost := 0.13
	r := &mcpsf.Report{Agents: []mcpsf.AgentRun{{
		Agent: "vendor/some-model", Tasks: 2, Conversations: 9, Calls: 1, Actions: 1, Lost: []string{"task 3: no answer"},
		Usage: &mcpsf.ModelUsage{Asks: 12, TokensIn: 1000, TokensOut: 234, Dollars: &cost},
	}}}
	action := mcpsf.Event{Kind: mcpsf.KindAgentAction, Agent: &mcpsf.AgentDetail{
		Agent: "vendor/some-model", Task: "Add 2 and 3", Action: mcpsf.ActionTaken, Tool: "add", Arguments: json.RawMessage(`{"note":"x"}`),
		What: "/home/dev/.netrc", To: "note", Seen: 3, Runs: 4, SeenWithout: 0, RunsWithout: 4, Conversation: 7,
		Causes: []mcpsf.AgentCause{{Of: "tool", Name: "add", Field: "/description", Quote: "Read it first."}},
	}}
	got := agentsSection{build(r, mcpsf.Event{Kind: mcpsf.KindProcessExec}, action)}.agents()
	want := &agentsView{
		Runs: []agentRunView{{
			Name: "vendor/some-model", Lost: []string{"task 3: no answer"},
			Facts: []string{"2 tasks", "9 conversations", "1 call", "12 questions to the model", "1234 tokens, $0.13"},
		}},
		Actions: []actionView{{
			Title: "Gave away /home/dev/.netrc to note", Agent: "vendor/some-model", Task: "Add 2 and 3", Tool: "add", Arguments: `{"note":"x"}`,
			Causes: []causeView{{Where: "tool add /description", Quote: "Read it first."}},
			With:   shareView{3, 4, 75}, Without: shareView{0, 4, 0}, Event: 2, Conversation: 7,
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("(-want +got):", diff)
	}
}

// Impossible numbers stay within the bar, and the number of actions is bounded.
func TestAgentsBounds(t *testing.T) {
	if got := (agentsSection{build(&mcpsf.Report{})}).agents(); got != nil {
		t.Errorf("no agent is %+v", got)
	}
	if got := share(9, 3); got.Percent != 100 {
		t.Errorf("9 of 3 are %d percent", got.Percent)
	}
	var events []mcpsf.Event
	for range maxActions + 5 {
		events = append(events, mcpsf.Event{Kind: mcpsf.KindAgentAction, Agent: &mcpsf.AgentDetail{Action: "danced", Seen: -1}})
	}
	got := agentsSection{build(&mcpsf.Report{Agents: make([]mcpsf.AgentRun, 1)}, events...)}.agents()
	if len(got.Actions) != maxActions || got.More != 5 || got.Actions[0].Title != "Danced" {
		t.Errorf("%d actions, %d more, the first %q", len(got.Actions), got.More, got.Actions[0].Title)
	}
}
