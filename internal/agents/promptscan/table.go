package promptscan

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/agents/wordlist"
)

//go:embed tables.yaml
var tablesFile []byte

// tables reads them once.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var tables = sync.OnceValue(func() *wordTables { return wordlist.Must[wordTables](tablesFile) })

// wordTables are the tables of tables.yaml, which says what each is for.
type wordTables struct {
	KnownTools       []string     `yaml:"known-tools"`
	ShadowClaims     []string     `yaml:"shadow-claims"`
	MagicParameters  []string     `yaml:"magic-parameters"`
	ModelTools       []string     `yaml:"model-tools"`
	SecretFiles      wordlist.Set `yaml:"secret-files"`
	SecretFolders    []string     `yaml:"secret-folders"`
	SampleFiles      []string     `yaml:"sample-files"`
	PrivatePaths     []string     `yaml:"private-paths"`
	SecretParameters []string     `yaml:"secret-parameters"`
	SecretTools      []string     `yaml:"secret-tools"`
	FillingVerbs     wordlist.Set `yaml:"filling-verbs"`
	Calling          []string     `yaml:"calling"`
	Continuing       []string     `yaml:"continuing"`
	AfterUser        []string     `yaml:"after-user"`
	Abbreviations    wordlist.Set `yaml:"abbreviations"`
}
