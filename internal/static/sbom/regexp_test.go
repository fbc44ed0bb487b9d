package sbom

import (
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// plain is a Go regular expression. Some patterns of the schemas use
// look-ahead, which Go lacks; none of them concerns what is written here.
type plain struct{ *regexp.Regexp }

func (p plain) String() string { return p.Regexp.String() }

type anything struct{ text string }

func (a anything) MatchString(string) bool { return true }
func (a anything) String() string          { return a.text }

func plainRegexp(s string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(s)
	if err != nil {
		return anything{s}, nil
	}
	return plain{re}, nil
}
