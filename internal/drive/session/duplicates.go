package session

import (
	"context"

	"github.com/mcpsf/mcpsf"
)

// duplicates reports tools that one listing defines twice and differently: the
// user is shown one of them, and the client may call the other.
func (c *changes) duplicates(s *mcpsf.Session) {
	first := map[string]int{}
	for i := range s.Tools {
		name := s.Tools[i].Name
		j, again := first[name]
		if !again {
			first[name] = i
			continue
		}
		fields(s.Tools[j].Raw, s.Tools[i].Raw, func(field, from, to string) {
			if field == mcpsf.FieldChoices {
				field = "inputSchema"
			}
			c.lists.requests.ledger.Note("listed a tool twice with different definitions")
			c.tap.Changed(c.lists.requests.ledger.lastAsked(), mcpsf.ChangeDetail{
				Of: "tool", Name: name, Field: field, Before: from, After: to, Since: mcpsf.SinceListed,
			})
		})
	}
}

// useAdded calls the tools that the server listed only later. They are not part
// of what it offered first, which other sessions are compared with.
func (e *enumeration) useAdded(ctx context.Context) error {
	known := map[string]bool{}
	for i := range e.out.Tools {
		known[definition(&e.out.Tools[i])] = true
	}
	added := &mcpsf.Session{Capabilities: e.out.Capabilities}
	for _, tool := range e.changes.latest.Tools {
		if !known[definition(&tool)] {
			added.Tools = append(added.Tools, tool)
		}
	}
	caller := newToolCaller(e.requests, added, e.waiter)
	for i := range added.Tools {
		if err := caller.call(ctx, i, 0); err != nil {
			return err
		}
	}
	return nil
}
