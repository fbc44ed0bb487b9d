package policy

import (
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// artifact describes what was run.
func artifact(r *mcpsf.Report) string {
	s := safetext.Clean(r.Artifact.Name)
	if r.Artifact.Version != "" {
		s += " " + safetext.Clean(r.Artifact.Version)
	}
	return s + ", run " + safetext.Clean(r.Run.ID)
}

// caveats say what the settings do not cover. What a run did not reach may still
// be needed.
func caveats(r *mcpsf.Report) []string {
	var list []string
	v := &r.Verdict
	if v.Incomplete() {
		list = append(list, "PARTIAL: the run was inconclusive"+because(v.Reasons)+". The server may need more than this.")
	}
	if b := v.Behaviour.Band; severe(b) {
		list = append(list, fmt.Sprintf("This server attacks its user (%s): block it. Settings do not make it safe.", b))
	}
	if b := v.Weakness.Band; severe(b) {
		list = append(list, fmt.Sprintf("This server can be attacked (%s). Settings bound what an attacker reaches through it; they do not repair it.", b))
	}
	if !r.Session.Initialized {
		list = append(list, "PARTIAL: the server never answered, so only its start was seen.")
	}
	if c := r.Coverage.Calls; c.Reached < c.Tools {
		list = append(list, fmt.Sprintf("PARTIAL: %d of %d tools were reached. What the others need was not seen.", c.Reached, c.Tools))
	}
	if c := r.Coverage.Events; c.Lost != 0 || !c.Complete {
		list = append(list, "PARTIAL: events were lost.")
	}
	return list
}

func severe(b mcpsf.Band) bool {
	return b == mcpsf.BandMedium || b == mcpsf.BandHigh || b == mcpsf.BandCritical
}

func because(reasons []string) string {
	if len(reasons) == 0 {
		return ""
	}
	return " (" + safetext.Clean(reasons[0]) + ")"
}
