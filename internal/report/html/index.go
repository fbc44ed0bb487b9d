package html

import "github.com/mcpsf/mcpsf"

// index is what all sections of the page share about the run.
type index struct {
	*Run
	Words

	calls map[string]*call
	// order are the calls in order.
	order []*call
	// proofs are the events that prove findings.
	proofs map[int64]proof
	// shown are the events that can be unfolded: they have an anchor.
	shown map[int64]bool
}

// proof is what an event proves.
type proof struct {
	// severity is that of the most severe finding.
	severity mcpsf.Severity
	event    *mcpsf.Event
}

// call is one request to the server and its result.
type call struct {
	id, method, tool string
	// attack is the attack that the call made, "" for an ordinary one.
	attack            string
	status            mcpsf.CallStatus
	note              string
	seconds           float64
	request, response *mcpsf.MCPDetail
	// place is the index in the order of calls.
	place  int
	proves bool
}

func newIndex(run *Run) *index {
	b := &index{Run: run, Words: run.Words, calls: make(map[string]*call), proofs: make(map[int64]proof), shown: make(map[int64]bool)}
	for _, block := range run.Findings { // the most severe first
		for _, seq := range block.Evidence {
			if _, ok := b.proofs[seq]; !ok {
				b.proofs[seq] = proof{severity: block.Findings[0].Severity}
			}
		}
	}
	for _, c := range run.Report.Session.Calls {
		known := b.call(c.ID)
		known.method, known.tool, known.status, known.note, known.seconds = c.Method, c.Tool, c.Status, c.Note, c.Seconds
	}
	for i := range run.Events {
		b.observe(&run.Events[i])
	}
	return b
}

// observe adds an event to what is known of the calls.
func (b *index) observe(e *mcpsf.Event) {
	p, proves := b.proofs[e.Seq]
	if proves {
		p.event = e
		b.proofs[e.Seq] = p
	}
	if e.Call == "" {
		return
	}
	c := b.call(e.Call)
	c.proves = c.proves || proves
	switch {
	case e.MCP == nil:
	case e.Kind == mcpsf.KindMCPRequest && !e.MCP.FromServer && c.request == nil:
		c.request = e.MCP
		if c.method == "" {
			c.method, c.tool = e.MCP.Method, e.MCP.Tool
		}
		if e.MCP.Attack != nil {
			c.attack = e.MCP.Attack.Class
		}
	case e.Kind == mcpsf.KindMCPResponse && c.response == nil:
		c.response = e.MCP
		if c.status == "" {
			c.status, c.seconds = mcpsf.CallOK, e.MCP.Seconds
			if e.MCP.Failed {
				c.status = mcpsf.CallRefused
			}
		}
	}
}

func (b *index) call(id string) *call {
	c, ok := b.calls[id]
	if !ok {
		c = &call{id: id, place: len(b.order)}
		b.calls[id] = c
		b.order = append(b.order, c)
	}
	return c
}

// caller names the tool or phase that caused an event.
func (b *index) caller(e *mcpsf.Event) string {
	if e.Call != "" {
		switch c := b.calls[e.Call]; {
		case c.tool != "":
			return c.tool
		case c.method != "":
			return c.method
		}
	}
	return "phase " + string(e.Phase)
}
