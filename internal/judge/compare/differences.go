package compare

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/toolset"
)

// rank orders findings by severity, then by grade.
func rank(f mcpsf.Finding) int {
	severity := slices.Index([]mcpsf.Severity{
		mcpsf.SeverityInfo, mcpsf.SeverityLow, mcpsf.SeverityMedium, mcpsf.SeverityHigh, mcpsf.SeverityCritical,
	}, f.Severity)
	return severity*4 + slices.Index([]mcpsf.Grade{mcpsf.GradeSuspected, mcpsf.GradeAttempted, mcpsf.GradeProved}, f.Grade)
}

type findingKey struct{ rule, fingerprint string }

// findings compares the findings, most severe first. Waived findings count as present.
func findings(old, now *mcpsf.Report) []Finding {
	before, _ := byKey(old)
	after, waived := byKey(now)
	list := []Finding{}
	for key, f := range after {
		was, ok := before[key]
		switch {
		case !ok:
			list = append(list, Finding{State: New, Finding: f, Waived: waived[key]})
		case rank(was) != rank(f):
			list = append(list, Finding{State: Changed, Finding: f, Was: &was, Waived: waived[key]})
		}
	}
	for key, f := range before {
		if _, ok := after[key]; !ok {
			list = append(list, Finding{State: Gone, Finding: f})
		}
	}
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(order(a.State), order(b.State)),
			cmp.Compare(rank(b.Finding), rank(a.Finding)),
			strings.Compare(a.Finding.ID, b.Finding.ID),
			strings.Compare(a.Finding.Fingerprint, b.Finding.Fingerprint),
		)
	})
	return list
}

func order(s State) int { return slices.Index([]State{New, Changed, Gone}, s) }

func byKey(r *mcpsf.Report) (all map[findingKey]mcpsf.Finding, waived map[findingKey]bool) {
	all, waived = map[findingKey]mcpsf.Finding{}, map[findingKey]bool{}
	for _, w := range r.Waived {
		key := findingKey{w.Finding.ID, w.Finding.Fingerprint}
		all[key], waived[key] = w.Finding, true
	}
	for _, f := range r.Findings {
		key := findingKey{f.ID, f.Fingerprint}
		all[key], waived[key] = f, false
	}
	return all, waived
}

type accessKey struct {
	kind       mcpsf.AccessKind
	tool, name string
	install    bool
}

// accesses compares the accesses.
func accesses(old, now *mcpsf.Report) []Access {
	before, after := uses(old), uses(now)
	list := []Access{}
	for key, a := range after {
		if _, ok := before[key]; !ok {
			list = append(list, access(New, key, a))
		}
	}
	for key, a := range before {
		if _, ok := after[key]; !ok {
			list = append(list, access(Gone, key, a))
		}
	}
	slices.SortFunc(list, func(a, b Access) int {
		return cmp.Or(
			cmp.Compare(order(a.State), order(b.State)),
			-strings.Compare(installed(a.Install), installed(b.Install)),
			strings.Compare(a.Tool, b.Tool),
			strings.Compare(string(a.Kind), string(b.Kind)),
			strings.Compare(a.Name, b.Name),
		)
	})
	return list
}

func installed(b bool) string { return map[bool]string{true: "1"}[b] }

func access(s State, key accessKey, a mcpsf.Access) Access {
	return Access{State: s, Kind: key.kind, Tool: key.tool, Name: key.name, Install: key.install, Planted: a.Planted, Explanation: a.Explanation}
}

// byCaller replaces names that the caller chose, because ours differ from run to
// run.
const byCaller = "(what the caller names)"

// uses returns the accesses that are compared.
func uses(r *mcpsf.Report) map[accessKey]mcpsf.Access {
	all := map[accessKey]mcpsf.Access{}
	for _, a := range r.Accesses {
		nature := a.Explanation.By == mcpsf.ByNature
		if nature && a.Kind != mcpsf.AccessProgram && (a.Kind != mcpsf.AccessHost || isLoopback(a.Name)) {
			continue
		}
		key := accessKey{a.Kind, a.Tool, a.Name, a.Phase == mcpsf.PhaseInstall}
		if a.Explanation.By == mcpsf.ByArgument {
			key.name = byCaller
		}
		all[key] = a
	}
	return all
}

// isLoopback tells whether a name is the machine itself, whose ports are random.
func isLoopback(name string) bool {
	host := name
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		host = name[:i]
	}
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// offers compares tools, prompts and resources.
func offers(old, now *mcpsf.Report) []Offer {
	list := []Offer{}
	for _, c := range toolset.Compare(toolset.Of(old.Session.Tools), toolset.Of(now.Session.Tools)) {
		list = append(list, Offer{Of: "tool", Change: c})
	}
	for _, c := range toolset.Compare(toolset.Of(others(old)), toolset.Of(others(now))) {
		list = append(list, Offer{Change: c})
	}
	return list
}

// others returns prompts and resources in the form of tools.
func others(r *mcpsf.Report) []mcpsf.Tool {
	all := map[string]mcpsf.Tool{}
	for _, t := range r.Declared.Inputs {
		all[t.Name] = t
	}
	add := func(name, description string) {
		t := all[name]
		t.Name, t.Description = name, description
		all[name] = t
	}
	for _, p := range r.Session.Prompts {
		add(mcpsf.OfPrompt+p.Name, p.Description)
	}
	for _, t := range r.Session.Templates {
		add(mcpsf.OfResource+t.URI, t.Description)
	}
	for _, s := range r.Session.Resources {
		add(mcpsf.OfResource+s.URI, s.Name)
	}
	return slices.Collect(maps.Values(all))
}

// packages compares the installed packages, each "npm name@1.2.3 sha512-...".
func packages(old, now *mcpsf.Report) []Package {
	before, after := versions(old), versions(now)
	list := []Package{}
	for name, version := range after {
		switch was, ok := before[name]; {
		case !ok:
			list = append(list, Package{State: New, Name: name, New: version})
		case was != version:
			list = append(list, Package{State: Changed, Name: name, Old: was, New: version})
		}
	}
	for name, version := range before {
		if _, ok := after[name]; !ok {
			list = append(list, Package{State: Gone, Name: name, Old: version})
		}
	}
	slices.SortFunc(list, func(a, b Package) int {
		return cmp.Or(cmp.Compare(order(a.State), order(b.State)), strings.Compare(a.Name, b.Name))
	})
	return list
}

// versions returns the versions of each package; a package may be installed twice.
func versions(r *mcpsf.Report) map[string]string {
	all := map[string]string{}
	if r.Installation == nil {
		return all
	}
	for _, line := range slices.Sorted(slices.Values(r.Installation.Packages)) {
		file, digest, _ := strings.Cut(strings.TrimPrefix(line, string(r.Installation.Manager)+" "), " ")
		name, version := file, ""
		if i := strings.LastIndexByte(file, '@'); i > 0 {
			name, version = file[:i], file[i+1:]
		}
		version = strings.TrimSpace(version + " " + digest)
		if all[name] != "" {
			version = all[name] + ", " + version
		}
		all[name] = version
	}
	return all
}
