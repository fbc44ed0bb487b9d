package llmreview

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed probes.yaml
var probesFile []byte

// probes reads the sentences once.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var probes = sync.OnceValue(func() *probeTables { return wordlist.Must[probeTables](probesFile) })

// probeTables are the tables of probes.yaml, which explains each.
type probeTables struct {
	Reject []string `yaml:"reject"`
	Omit   []string `yaml:"omit"`
	Safe   []string `yaml:"safe"`
	Word   []string `yaml:"word"`
	Thefts []string `yaml:"thefts"`
	Verbs  []string `yaml:"verbs"`
	Nouns  []string `yaml:"nouns"`
}
