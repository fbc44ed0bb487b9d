package order

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
	Parameters struct {
		After     wordlist.Set `yaml:"after"`
		Before    wordlist.Set `yaml:"before"`
		NotBefore wordlist.Set `yaml:"not_before"`
		Ordinary  wordlist.Set `yaml:"ordinary"`
		Called    wordlist.Set `yaml:"called"`
		AfterAs   wordlist.Set `yaml:"after_as"`
		Path      wordlist.Set `yaml:"path"`
		Secret    wordlist.Set `yaml:"secret"`
	} `yaml:"parameters"`
	Secrets struct {
		PlaceBefore wordlist.Set `yaml:"place_before"`
		Owned       wordlist.Set `yaml:"owned"`
		Generic     wordlist.Set `yaml:"generic"`
		Articles    wordlist.Set `yaml:"articles"`
		Purposes    wordlist.Set `yaml:"purposes"`
		NotNeeded   wordlist.Set `yaml:"not_needed"`
		BeforeNot   wordlist.Set `yaml:"before_not"`
	} `yaml:"secrets"`
	Conversations struct {
		Parts    wordlist.Set `yaml:"parts"`
		Channels wordlist.Set `yaml:"channels"`
		About    wordlist.Set `yaml:"about"`
		Tools    wordlist.Set `yaml:"tools"`
		Answers  wordlist.Set `yaml:"answers"`
	} `yaml:"conversations"`
	Verbs struct {
		Notifying wordlist.Set `yaml:"notifying"`
		Running   wordlist.Set `yaml:"running"`
		Paying    wordlist.Set `yaml:"paying"`
		Erasing   wordlist.Set `yaml:"erasing"`
		Beginning wordlist.Set `yaml:"beginning"`
	} `yaml:"verbs"`
	Phrases struct {
		Goals      wordlist.Set `yaml:"goals"`
		Arrows     []string     `yaml:"arrows"`
		AnyUse     wordlist.Set `yaml:"any_use"`
		Exists     wordlist.Set `yaml:"exists"`
		BeforeTool wordlist.Set `yaml:"before_tool"`
		AnyTask    wordlist.Set `yaml:"any_task"`
		Switches   wordlist.Set `yaml:"switches"`
		It         wordlist.Set `yaml:"it"`
		Payments   wordlist.Set `yaml:"payments"`
	} `yaml:"phrases"`
}
