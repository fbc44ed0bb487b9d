package main

import (
	"fmt"

	"github.com/mcpsf/mcpsf"
)

// totals are the figures of one build over some servers.
type totals struct {
	servers, tools, worked int
	// toolless servers listed no tool, idle ones have none that worked.
	toolless, idle, inconclusive, unreported int
	seconds                                  float64
}

// add counts a result. Timed says that its time can be compared with that of the
// other build.
func (t *totals) add(r *result, timed bool) {
	t.servers++
	t.tools += len(r.Tools)
	t.worked += r.worked()
	t.toolless += one(len(r.Tools) == 0)
	t.idle += one(r.worked() == 0)
	t.inconclusive += one(r.Band == mcpsf.BandInconclusive)
	t.unreported += one(r.Band == "")
	if timed {
		t.seconds += r.Seconds - r.Installing
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// sums returns the figures of both builds over the servers that are counted.
func sums(servers []server, counts func(*server) bool) (before, after totals) {
	for i := range servers {
		if s := &servers[i]; counts(s) {
			timed := s.Before.Band != "" && s.After.Band != ""
			before.add(s.Before, timed)
			after.add(s.After, timed)
		}
	}
	return before, after
}

// figure is a line of the table of totals: of all servers, and of those that need
// no account.
type figure struct{ Name, Before, After, FreeBefore, FreeAfter string }

// Figures is called by the template.
func (p *page) Figures() []figure {
	before, after := sums(p.Servers, func(*server) bool { return true })
	freeBefore, freeAfter := sums(p.Servers, func(s *server) bool { return !s.Account })
	var list []figure
	line := func(name string, show func(t, first *totals) string) {
		list = append(list, figure{
			name, show(&before, &before), show(&after, &before), show(&freeBefore, &freeBefore), show(&freeAfter, &freeBefore),
		})
	}
	line("servers", func(t, _ *totals) string { return fmt.Sprint(t.servers) })
	line("tools", func(t, _ *totals) string { return fmt.Sprint(t.tools) })
	line("tools that worked at least once", func(t, _ *totals) string { return share(t.worked, t.tools) })
	line("servers with no tool that worked", func(t, _ *totals) string { return share(t.idle, t.servers) })
	line("of these, servers that listed no tool", func(t, _ *totals) string { return fmt.Sprint(t.toolless) })
	line("servers without a report", func(t, _ *totals) string { return fmt.Sprint(t.unreported) })
	line("INCONCLUSIVE", func(t, _ *totals) string { return share(t.inconclusive, t.servers) })
	line("time, as a multiple of that before", func(t, first *totals) string { return ratio(t.seconds, first.seconds) })
	return list
}

// share is a number with its percentage.
func share(n, of int) string {
	if of == 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d (%.0f %%)", n, 100*float64(n)/float64(of))
}

func ratio(seconds, of float64) string {
	if of <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", seconds/of)
}
