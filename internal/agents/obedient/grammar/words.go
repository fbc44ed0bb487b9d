package grammar

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
	PoliteBefore     wordlist.Set `yaml:"polite_before"`
	PoliteAfter      wordlist.Set `yaml:"polite_after"`
	RarelyConditions wordlist.Set `yaml:"rarely_conditions"`
	NotBeforeVerb    wordlist.Set `yaml:"not_before_verb"`
	English          wordlist.Set `yaml:"english"`
	Portuguese       wordlist.Set `yaml:"portuguese"`
	Glances          wordlist.Set `yaml:"glances"`
	BeforeOrder      wordlist.Set `yaml:"before_order"`
	BeforeGerund     wordlist.Set `yaml:"before_gerund"`
	BeforeInfinitive wordlist.Set `yaml:"before_infinitive"`
	Fronted          wordlist.Set `yaml:"fronted"`
	Bound            wordlist.Set `yaml:"bound"`
	Adverbs          wordlist.Set `yaml:"adverbs"`
}
