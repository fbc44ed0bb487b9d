// Package analysis finds suspicious things in the source of a package.
//
// It takes its files in the form of package ir and returns facts: capabilities,
// obfuscation, access to credentials, triggers. A fact is not a judgement;
// rules judge. Each analysis is one file here and one line in [All].
package analysis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// maxFacts is how many facts of one kind are reported.
// no gap: that many facts of a kind are findings already
const maxFacts = 60

// Analysis looks for one thing.
type Analysis struct {
	// Kind is the kind of its facts.
	Kind string
	// Cheap is set if it also runs on dependencies.
	Cheap bool
	Run   func(*Package) []mcpsf.Fact
}

// All lists the analyses.
func All() []Analysis {
	return []Analysis{
		{"code.capability", false, capabilityFacts},
		{"code.obfuscated", true, obfuscated},
		{"code.encoded", true, encoded},
		{"code.secret", false, secrets},
		{"code.webhook", true, webhooks},
		{"code.host", false, hosts},
		{"code.trigger", true, triggers},
		{"code.evasion", true, evasions},
		{"code.downloads", true, downloads},
		{"code.sends", true, sends},
		{"code.unicode", true, hiddenCharacters},
		{"code.minified", false, minified},
		{"code.credential-read", true, credentialReads},
		{"code.persistence", true, persistences},
		{"code.deserialize", false, deserialisations},
		{"code.exec-input", false, execInputs},
	}
}

// Package is the source of one package: the server's own, or a dependency's.
type Package struct {
	// Files are sorted by path.
	Files []*ir.File
	// PURL is that of a dependency, "" for the server itself.
	PURL  string
	graph *graph
}

// New makes a package of files.
func New(files []*ir.File, purl string) *Package {
	p := &Package{Files: slices.Clone(files), PURL: purl}
	slices.SortFunc(p.Files, func(a, b *ir.File) int { return strings.Compare(a.Path, b.Path) })
	markCapabilities(p.Files)
	p.graph = newGraph(p.Files)
	return p
}

// Facts runs all analyses, or the cheap ones.
func (p *Package) Facts(cheap bool) []mcpsf.Fact {
	var out []mcpsf.Fact
	for _, a := range All() {
		if cheap && !a.Cheap {
			continue
		}
		facts := a.Run(p)
		for i := range facts {
			facts[i].Kind = a.Kind
			facts[i].Package = p.PURL
			facts[i].Text = tidy(facts[i].Text, 600)
			facts[i].Name = tidy(facts[i].Name, 200)
		}
		slices.SortStableFunc(facts, func(a, b mcpsf.Fact) int {
			return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), strings.Compare(a.Name, b.Name), strings.Compare(a.Text, b.Text))
		})
		facts = slices.CompactFunc(facts, func(a, b mcpsf.Fact) bool {
			return a.Path == b.Path && a.Line == b.Line && a.Name == b.Name
		})
		out = append(out, facts[:min(len(facts), maxFacts)]...)
	}
	return out
}

// tidy makes an untrusted text safe to show: short, one line, invisible
// characters escaped.
func tidy(s string, limit int) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		if b.Len() > limit {
			b.WriteString("…")
			break
		}
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case string(r) == ir.Hole:
			b.WriteString("{}")
		case !shown(r):
			b.WriteString(escaped(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// fact makes a fact in its usual form.
func fact(f *ir.File, line int, name, text string) mcpsf.Fact {
	return mcpsf.Fact{Path: f.Path, Line: line, Name: name, Text: text}
}
