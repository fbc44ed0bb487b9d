package flows

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// serverCaveats say why roles of a server may be missing.
func serverCaveats(r *mcpsf.Report, s *Server) []string {
	var list []string
	c := r.Coverage
	switch {
	case c.Static:
		list = append(list, "Nothing of it was run: only its package was read.")
	case c.Remote:
		list = append(list, "It runs elsewhere: what its tools use was not seen.")
	case !r.Session.Initialized:
		list = append(list, "It never answered, so only its start was seen.")
	case r.Accesses == nil:
		list = append(list, "Its report does not tell what was used; mcpsf report --rejudge --output makes one that does.")
	}
	if r.Verdict.Incomplete() && !c.Static {
		why := ""
		if len(r.Verdict.Reasons) > 0 {
			why = ": " + strings.TrimSuffix(r.Verdict.Reasons[0], ".")
		}
		list = append(list, "Its run was inconclusive"+why+".")
	}
	if c.Events.Lost != 0 {
		list = append(list, fmt.Sprintf("%s lost in its run.", amount(int(min(c.Events.Lost, 1<<40)), "event was", "events were")))
	}
	if s.Unseen > 0 && !c.Static && !c.Remote {
		list = append(list, fmt.Sprintf("%d of %s not seen to work: what they do is not known.", s.Unseen, amount(s.Tools, "tool was", "tools were")))
	}
	return list
}

// caveatsOf joins the caveats of all servers.
func caveatsOf(list []Named) []string {
	var all []string
	versions := map[string]bool{}
	for _, n := range list {
		if n.Report != nil {
			versions[n.Report.Tool.Version] = true
		}
	}
	if len(versions) > 1 {
		all = append(all, fmt.Sprintf("The reports were written by %d versions of mcpsf, which may explain accesses differently.", len(versions)))
	}
	return all
}
