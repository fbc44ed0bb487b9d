package assess

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
)

func (e *remoteServer) report(context.Context) (*mcpsf.Report, error) {
	if e.session == nil {
		e.session = emptySession(e.cut + " before the server answered")
	}
	r := e.newReport(e.artifact, e.session)
	r.Target.Source = e.shown
	r.Coverage = e.coverage(e.session, e.ledger.log.Events())
	return r, nil
}

// coverage states what was examined: what the server says, and how it can be
// reached.
func (e *remoteServer) coverage(s *mcpsf.Session, events []mcpsf.Event) mcpsf.Coverage {
	d := &detonation{session: s, wall: e.opts.Sandbox.Wall}
	n := int64(len(events))
	c := mcpsf.Coverage{
		Phases: phases(events), Events: mcpsf.EventTotals{Produced: n, Received: n, Complete: true},
		Monitors: []mcpsf.MonitorStatus{{Name: "mcp", Alive: true}},
		Limits:   limits(d, events), Calls: calls(s), Texts: e.ledger.texts, Remote: true,
		Sandbox: mcpsf.SandboxStatus{Engine: "none", Network: "the real one"},
		Gaps:    []mcpsf.Gap{gap.New(gap.RemoteHost, 0, 0)},
	}
	if e.attacks() {
		c.Attacks = &mcpsf.AttackTotals{Planned: e.ledger.planned, Made: e.ledger.planned - e.ledger.unmade}
	}
	if left := uncalled(s); len(left) > 0 {
		c.Gaps = append(c.Gaps, gap.Detailed(gap.RemoteTools, "tools that may change something and were not called: "+strings.Join(left, ", ")))
	}
	if !e.attacks() {
		c.Gaps = append(c.Gaps, gap.Detailed(gap.RemoteAttacks, "attacks through arguments: they are not made on a server of somebody else without their leave"))
	} else {
		c.Gaps = append(c.Gaps, gap.Detailed(gap.RemoteAttacks, "attacks whose success the answer does not show"))
	}
	c.Gaps = append(c.Gaps, gap.New(gap.RemoteClients, 0, 0))
	c.Gaps = gap.Sorted(append(c.Gaps, e.ledger.gaps...))
	return c
}

// uncalled returns some of the tools that were listed and not called.
func uncalled(s *mcpsf.Session) []string {
	// no gap: bounds names in a sentence that counts them all
	const most = 20
	called := map[string]bool{}
	for _, c := range s.Calls {
		called[c.Tool] = true
	}
	var left []string
	for _, t := range s.Tools {
		if !called[t.Name] {
			left = append(left, t.Name)
		}
	}
	if more := len(left) - most; more > 0 {
		left = append(left[:most], fmt.Sprintf("and %d more", more))
	}
	return left
}
