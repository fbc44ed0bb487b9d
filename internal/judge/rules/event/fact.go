package event

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Facts are the facts that static analysis found.
type Facts []mcpsf.Fact

// Has tells whether there is a fact of a kind.
func (s Facts) Has(kind string) bool {
	return slices.ContainsFunc(s, func(f mcpsf.Fact) bool { return f.Kind == kind })
}

// HasText tells whether a fact of the kind has part in its text.
func (s Facts) HasText(kind, part string) bool {
	return slices.ContainsFunc(s, func(f mcpsf.Fact) bool { return f.Kind == kind && strings.Contains(f.Text, part) })
}

// HasFile tells whether there is a fact about a file, given by its path in the
// sandbox or in the package.
func (s Facts) HasFile(kind, path string) bool {
	return slices.ContainsFunc(s, func(f mcpsf.Fact) bool {
		return f.Kind == kind && f.Path != "" && (f.Path == path || strings.HasSuffix(path, "/"+f.Path))
	})
}

// OfFact describes a fact. Its subject is the file, or else the name in the fact.
func OfFact(fact *mcpsf.Fact) Fields {
	var f Fields
	f.Kind, f.Path, f.Subject, f.What, f.Detail = fact.Kind, fact.Path, fact.Path, fact.Name, fact.Text
	f.Tool, f.Level, f.Package = fact.Tool, string(fact.Level), fact.Package
	if f.Subject == "" || strings.HasPrefix(fact.Kind, "dependency.") {
		f.Subject = fact.Name
	}
	return f
}
