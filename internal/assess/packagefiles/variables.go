package packagefiles

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxVariables bounds the variables that a package can mention.
// no gap: a variable beyond it is explained by nobody.
const maxVariables = 256

// variable matches what looks like the name of an environment variable: capital
// letters with an underscore. A single capital word may be anything.
var variable = lazyregexp.New(`\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b`)

// DeclaredVariables returns the environment variables that a package mentions in
// its documentation and metadata.
func DeclaredVariables(a *mcpsf.Artifact) []string {
	var list []string
	for _, text := range documentation(a) {
		for _, name := range variable.FindAllString(text, 16*maxVariables) {
			if len(list) < maxVariables && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}
