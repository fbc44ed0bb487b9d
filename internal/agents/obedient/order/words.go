package order

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/agents/obedient/wordlist"
)

//go:embed words.yaml
var wordsFile []byte

// words reads the tables once.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var words = sync.OnceValue(func() *wordTables { return wordlist.Must[wordTables](wordsFile) })

// wordTables are the tables of words.yaml, which says what each is for.
type wordTables struct {
	AfterParameter     wordlist.Set `yaml:"after-parameter"`
	BeforeParameter    wordlist.Set `yaml:"before-parameter"`
	NotBeforeParameter wordlist.Set `yaml:"not-before-parameter"`
	OrdinaryParameters wordlist.Set `yaml:"ordinary-parameters"`
	ParameterWords     wordlist.Set `yaml:"parameter-words"`
	AfterAs            wordlist.Set `yaml:"after-as"`
	PathParameters     wordlist.Set `yaml:"path-parameters"`
	SecretParameters   wordlist.Set `yaml:"secret-parameters"`
	Goals              wordlist.Set `yaml:"goals"`
	PlaceBefore        wordlist.Set `yaml:"place-before"`
	OfConversation     wordlist.Set `yaml:"of-conversation"`
	OfChannel          wordlist.Set `yaml:"of-channel"`
	About              wordlist.Set `yaml:"about"`
	Notifying          wordlist.Set `yaml:"notifying"`
	Arrows             []string     `yaml:"arrows"`
	AnyUse             wordlist.Set `yaml:"any-use"`
	Exists             wordlist.Set `yaml:"exists"`
	BeforeTool         wordlist.Set `yaml:"before-tool"`
	ChatTools          wordlist.Set `yaml:"chat-tools"`
	Running            wordlist.Set `yaml:"running"`
	Paying             wordlist.Set `yaml:"paying"`
	AnyTask            wordlist.Set `yaml:"any-task"`
	Answers            wordlist.Set `yaml:"answers"`
	Switches           wordlist.Set `yaml:"switches"`
	OwnedSecrets       wordlist.Set `yaml:"owned-secrets"`
	GenericSecrets     wordlist.Set `yaml:"generic-secrets"`
	Articles           wordlist.Set `yaml:"articles"`
	PasswordPurposes   wordlist.Set `yaml:"password-purposes"`
	Erasing            wordlist.Set `yaml:"erasing"`
	NotNeeded          wordlist.Set `yaml:"not-needed"`
	BeforeNot          wordlist.Set `yaml:"before-not"`
	It                 wordlist.Set `yaml:"it"`
	Payments           wordlist.Set `yaml:"payments"`
	Beginning          wordlist.Set `yaml:"beginning"`
}
