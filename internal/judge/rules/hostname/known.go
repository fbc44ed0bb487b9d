package hostname

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed known.yaml
var knownText []byte

// known returns the contents of known.yaml.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var known = sync.OnceValue(func() *lists { return wordlist.Must[lists](knownText) })

// lists are the hosts and domains that are known by name.
type lists struct {
	Classes         map[Class][]string `yaml:"classes"`
	Metadata        wordlist.Set       `yaml:"metadata"`
	AbusedTLDs      wordlist.Set       `yaml:"abused_tlds"`
	SignIn          wordlist.Set       `yaml:"sign_in"`
	SignInProviders []string           `yaml:"sign_in_providers"`
	PackageSources  []string           `yaml:"package_sources"`
}
