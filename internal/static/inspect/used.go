package inspect

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxEvidence is how many events are named for a capability.
// no gap: bounds what is shown or what excuses; the rest of the source is read
const maxEvidence = 5

// Used marks what the run showed: which packages had a file opened, and which
// capabilities were used. Opened are the folders of packages in which files
// were opened, which events do not list individually. A capability whose use
// leaves no event stays unmarked.
func Used(in *mcpsf.Inspection, events []mcpsf.Event, opened []string) {
	load(in, events, opened)
	for i := range in.Capabilities {
		a := &in.Capabilities[i]
		sign := signOf(a.Kind)
		if sign == nil {
			continue
		}
		a.Used = mcpsf.LoadedNo
		for j := range events {
			if e := &events[j]; atRun(e.Phase) && sign(e) {
				a.Used = mcpsf.LoadedYes
				if a.Evidence = append(a.Evidence, e.Seq); len(a.Evidence) == maxEvidence {
					break
				}
			}
		}
	}
}

// atRun reports whether an event is the server's and not its installation's.
func atRun(p mcpsf.Phase) bool { return p != mcpsf.PhaseInstall }

// load marks the packages of which a file was opened while the server ran.
func load(in *mcpsf.Inspection, events []mcpsf.Event, opened []string) {
	where := placesOf(in.Packages)
	for _, found := range where.at {
		for _, i := range found {
			in.Packages[i].Loaded = mcpsf.LoadedNo
		}
	}
	mark := func(file string) {
		for _, owner := range where.owners(file) {
			in.Packages[owner].Loaded = mcpsf.LoadedYes
		}
	}
	for _, place := range opened {
		mark(place)
	}
	for i := range events {
		e := &events[i]
		if e.File == nil || !atRun(e.Phase) || e.Kind != mcpsf.KindFileOpen && e.Kind != mcpsf.KindFileRead {
			continue
		}
		// Reading package.json only finds the package's entry point.
		if base := path.Base(e.File.Path); base == "package.json" || base == "METADATA" {
			continue
		}
		mark(e.File.Path)
	}
	at := map[string]mcpsf.Loaded{}
	for i := range in.Packages {
		at[in.Packages[i].PURL] = in.Packages[i].Loaded
	}
	for i := range in.Advisories {
		in.Advisories[i].Loaded = at[in.Advisories[i].Package]
	}
}

// signOf returns the test that an event shows the use of a capability, nil if
// there is none.
func signOf(p mcpsf.CapabilityKind) func(*mcpsf.Event) bool {
	switch p {
	case mcpsf.CapabilityExec:
		return func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindProcessExec && e.PPID > 0 && e.Call != "" }
	case mcpsf.CapabilityFiles:
		return func(e *mcpsf.Event) bool {
			return e.File != nil && e.Call != "" && !strings.Contains(e.File.Path, "/node_modules/") && !strings.Contains(e.File.Path, "/site-packages/")
		}
	case mcpsf.CapabilityNetwork:
		return func(e *mcpsf.Event) bool {
			return e.Kind == mcpsf.KindNetConnect || e.Kind == mcpsf.KindNetDNS || e.Kind == mcpsf.KindNetHTTP
		}
	case mcpsf.CapabilityEnviron:
		return func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindEnvRead }
	case mcpsf.CapabilityCredential:
		return func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindCanaryRead }
	}
	return nil
}
