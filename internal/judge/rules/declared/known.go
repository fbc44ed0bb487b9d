package declared

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

// lists are the services, their secrets, and the word lists for declarations.
type lists struct {
	Writing   []string     `yaml:"writing"`
	Owners    []owner      `yaml:"owners"`
	Services  []service    `yaml:"services"`
	Watchers  []string     `yaml:"watchers"`
	Ordinary  wordlist.Set `yaml:"ordinary"`
	Tails     []string     `yaml:"tails"`
	Execution wordlist.Set `yaml:"execution"`
}
