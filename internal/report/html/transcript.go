package html

import (
	"cmp"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Bounds of the transcript: calls, calls visible at first, other messages, and
// bytes of the calls.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const (
	maxCalls  = 250
	fewCalls  = 20
	maxAsides = 60
	roomCalls = 900 << 10
)

type transcriptView struct {
	// Calls are the first ordinary calls, Further the others, and Attacks the
	// attack calls.
	Calls, Further, Attacks []callView
	// More is how many calls are in events.jsonl only.
	More int
	// Asides are what the server sent without being asked.
	Asides     []asideView
	MoreAsides int
}

type callView struct {
	ID, Method, Tool, Attack string
	Status, Note, Remark     string
	Bad, Proves              bool
	Request, Answer          string
	// Payload and Place are those of an attack.
	Payload, Place string
}

type asideView struct {
	Time, What, Text string
}

// transcriptSection shows requests and answers.
type transcriptSection struct{ *index }

// transcript shows the session. If it is long, calls that prove findings come
// before new ones, and those before failed attacks.
func (b transcriptSection) transcript() transcriptView {
	ranked := slices.Clone(b.order)
	seen := make(map[string]bool)
	rank := make(map[*call]int, len(ranked))
	for _, c := range ranked {
		name := c.method + " " + c.tool + " " + c.attack
		switch {
		case c.proves:
		case !seen[name]:
			rank[c] = 1
		case c.attack == "":
			rank[c] = 2
		default:
			rank[c] = 3
		}
		seen[name] = true
	}
	slices.SortStableFunc(ranked, func(x, y *call) int { return cmp.Compare(rank[x], rank[y]) })
	var kept []*call
	views := make(map[*call]callView)
	room := roomCalls
	for _, c := range firstOf(ranked, maxCalls) {
		v := b.exchange(c)
		if room -= 400 + weigh(v.Request) + weigh(v.Answer) + weigh(v.Payload); room < 0 {
			break
		}
		kept = append(kept, c)
		views[c] = v
	}
	slices.SortFunc(kept, func(x, y *call) int { return cmp.Compare(x.place, y.place) })
	view := transcriptView{More: len(b.order) - len(kept)}
	for _, c := range kept {
		list := &view.Calls
		switch {
		case c.attack != "":
			list = &view.Attacks
		case len(view.Calls) == fewCalls:
			list = &view.Further
		}
		*list = append(*list, views[c])
	}
	b.asides(&view)
	return view
}

func (b transcriptSection) exchange(c *call) callView {
	v := callView{
		ID: b.line(c.id, 60), Method: b.line(cmp.Or(c.method, "a message without a method"), maxName), Tool: b.line(c.tool, maxName), Attack: b.line(c.attack, 60),
		Remark: b.line(c.note, maxLine), Proves: c.proves,
	}
	v.Status, v.Note = b.outcome(c)
	v.Bad = c.status != mcpsf.CallOK && c.status != mcpsf.CallRefused
	if c.request != nil {
		v.Request = b.json(c.request.Body, maxMessage)
		if a := c.request.Attack; a != nil {
			v.Payload, v.Place = b.line(a.Payload, maxLine), b.line(a.Place, maxName)
		}
	}
	if c.response != nil {
		v.Answer = b.json(c.response.Body, maxMessage)
	}
	return v
}

// asides are the server's requests and notifications, and its output that was no
// message.
func (b transcriptSection) asides(view *transcriptView) {
	for i := range b.Events {
		e := &b.Events[i]
		if e.MCP == nil {
			continue
		}
		switch e.Kind {
		case mcpsf.KindMCPStderr, mcpsf.KindMCPMalformed:
		case mcpsf.KindMCPRequest, mcpsf.KindMCPNotification:
			if !e.MCP.FromServer {
				continue
			}
		default:
			continue
		}
		if len(view.Asides) == maxAsides {
			view.MoreAsides++
			continue
		}
		verb, what := b.Describe(e)
		a := asideView{Time: clock(e.T), What: b.line(verb, 40), Text: b.lines(what, maxField)}
		if len(e.MCP.Body) > 0 && e.MCP.Method != "" {
			a.Text += "\n" + b.json(e.MCP.Body, maxField)
		}
		view.Asides = append(view.Asides, a)
	}
}
