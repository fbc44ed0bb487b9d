package agent

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed words.yaml
var wordsFile []byte

// words reads the tables once.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var words = sync.OnceValue(func() *wordTables { return wordlist.Must[wordTables](wordsFile) })

// wordTables are the tables of words.yaml, which explains each.
type wordTables struct {
	Requests []string `yaml:"requests"`
	Secrets  []string `yaml:"secrets"`
}
