package html

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Bounds of the section: agents, what one of them could not try, actions, and
// the texts behind one of them.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxAgents  = 8
	maxActions = 30
	maxCauses  = 6
	maxQuote   = 800
)

// agentsView is how agents used the server, and what its texts made them do.
type agentsView struct {
	Runs    []agentRunView
	Actions []actionView
	More    int
}

// agentRunView is one agent: its numbers, and what it could not try.
type agentRunView struct {
	Name  string
	Facts []string
	Lost  []string
}

// actionView is one action, the text that caused it, and both sides of the proof.
type actionView struct {
	Title, Agent, Task string
	Tool, Arguments    string
	Causes             []causeView
	With, Without      shareView
	Event              int64
	Linked             bool
	Conversation       int
}

type causeView struct{ Where, Quote string }

// shareView says in how many of the conversations the action was done.
type shareView struct {
	Seen, Of int
	// Percent is the width of the bar.
	Percent int
}

// agentsSection shows what agents did with the server.
type agentsSection struct{ *index }

func (b agentsSection) agents() *agentsView {
	if len(b.Report.Agents) == 0 {
		return nil
	}
	v := &agentsView{}
	for i := range firstOf(b.Report.Agents, maxAgents) {
		v.Runs = append(v.Runs, b.agentRun(&b.Report.Agents[i]))
	}
	for i := range b.Events {
		e := &b.Events[i]
		switch {
		case e.Agent == nil:
		case len(v.Actions) == maxActions:
			v.More++
		default:
			v.Actions = append(v.Actions, b.action(e))
		}
	}
	return v
}

func (b agentsSection) agentRun(a *mcpsf.AgentRun) agentRunView {
	v := agentRunView{Name: b.line(a.Agent, maxName), Facts: []string{
		plural(a.Tasks, "task"), plural(a.Conversations, "conversation"), plural(a.Calls, "call"),
	}}
	if u := a.Usage; u != nil {
		v.Facts = append(v.Facts, plural(u.Asks, "question")+" to the model", b.Spent(u))
	}
	for _, lost := range firstOf(a.Lost, maxAgents) {
		v.Lost = append(v.Lost, b.line(lost, maxLine))
	}
	return v
}

func (b agentsSection) action(e *mcpsf.Event) actionView {
	d := e.Agent
	v := actionView{
		Title: b.actionTitle(d), Agent: b.line(d.Agent, maxName), Task: b.line(d.Task, maxLine),
		Tool: b.line(d.Tool, maxName), Event: e.Seq, Conversation: d.Conversation,
		With: share(d.Seen, d.Runs), Without: share(d.SeenWithout, d.RunsWithout),
	}
	if len(d.Arguments) > 0 {
		v.Arguments = b.json(d.Arguments, maxField)
	}
	v.Linked = b.shown[e.Seq]
	for i := range firstOf(d.Causes, maxCauses) {
		c := &d.Causes[i]
		v.Causes = append(v.Causes, causeView{
			Where: b.line(strings.Join(strings.Fields(c.Of+" "+c.Name+" "+c.Field), " "), maxLine), Quote: b.line(c.Quote, maxQuote),
		})
	}
	return v
}

// actionTitle describes the action in a few words.
func (b agentsSection) actionTitle(d *mcpsf.AgentDetail) string {
	verbs := map[mcpsf.AgentAction]string{
		mcpsf.ActionTaken: "gave away", mcpsf.ActionRead: "read", mcpsf.ActionSent: "sent something", mcpsf.ActionAltered: "did the task in another way",
		mcpsf.ActionReplaced: "used this server in place of another", mcpsf.ActionRemembered: "kept something for later conversations",
		mcpsf.ActionRan: "ran a command or wrote a file", mcpsf.ActionAsked: "asked the user for a secret",
	}
	title := verbs[d.Action]
	if title == "" {
		title = string(d.Action)
	}
	if d.What != "" {
		title += " " + d.What
	}
	if d.To != "" {
		title += " to " + d.To
	}
	return b.line(sentence(title), maxLine)
}

func share(seen, of int) shareView {
	s := shareView{Seen: seen, Of: of}
	if of > 0 {
		s.Percent = max(0, min(100, 100*seen/of))
	}
	return s
}
