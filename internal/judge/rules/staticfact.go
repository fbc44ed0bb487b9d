package rules

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// staticFacts are what was found without running the server.
type staticFacts []mcpsf.Fact

// has tells whether there is a fact of a kind.
func (s staticFacts) has(kind string) bool {
	return slices.ContainsFunc(s, func(f mcpsf.Fact) bool { return f.Kind == kind })
}

// hasText tells whether there is one whose text has that in it.
func (s staticFacts) hasText(kind, part string) bool {
	return slices.ContainsFunc(s, func(f mcpsf.Fact) bool { return f.Kind == kind && strings.Contains(f.Text, part) })
}

// hasFile tells whether there is one about a file, given by its path in the
// sandbox or in the package.
func (s staticFacts) hasFile(kind, path string) bool {
	return slices.ContainsFunc(s, func(f mcpsf.Fact) bool {
		return f.Kind == kind && f.Path != "" && (f.Path == path || strings.HasSuffix(path, "/"+f.Path))
	})
}

// factFields describe a fact. It is about a file, or about what it names.
func factFields(fact *mcpsf.Fact) fields {
	var f fields
	f.Kind, f.Path, f.Subject, f.What, f.Detail = fact.Kind, fact.Path, fact.Path, fact.Name, fact.Text
	f.Tool, f.Level, f.Package = fact.Tool, string(fact.Level), fact.Package
	if f.Subject == "" || strings.HasPrefix(fact.Kind, "dependency.") {
		f.Subject = fact.Name
	}
	return f
}
