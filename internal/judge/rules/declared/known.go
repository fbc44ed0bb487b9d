package declared

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/judge/rules/table"
)

//go:embed known.yaml
var knownText []byte

// known returns the contents of known.yaml.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var known = sync.OnceValue(func() *lists { return table.Must[lists](knownText) })

// lists are the services, their secrets, and the word lists for declarations.
type lists struct {
	Owners    []owner   `yaml:"owners"`
	Services  []service `yaml:"services"`
	Watchers  []string  `yaml:"watchers"`
	Ordinary  table.Set `yaml:"ordinary"`
	Tails     []string  `yaml:"tails"`
	Execution table.Set `yaml:"execution"`
}
