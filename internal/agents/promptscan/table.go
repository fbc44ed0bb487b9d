package promptscan

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed tables.yaml
var tablesFile []byte

// tables parses the embedded tables once.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var tables = sync.OnceValue(func() *wordTables { return wordlist.Must[wordTables](tablesFile) })

// wordTables are the tables of tables.yaml, which explains each.
type wordTables struct {
	KnownTools       []string     `yaml:"known_tools"`
	ShadowClaims     []string     `yaml:"shadow_claims"`
	MagicParameters  []string     `yaml:"magic_parameters"`
	ModelTools       []string     `yaml:"model_tools"`
	SecretFiles      wordlist.Set `yaml:"secret_files"`
	SecretFolders    []string     `yaml:"secret_folders"`
	SampleFiles      []string     `yaml:"sample_files"`
	PrivatePaths     []string     `yaml:"private_paths"`
	SecretParameters []string     `yaml:"secret_parameters"`
	SecretTools      []string     `yaml:"secret_tools"`
	FillingVerbs     wordlist.Set `yaml:"filling_verbs"`
	Calling          []string     `yaml:"calling"`
	Continuing       []string     `yaml:"continuing"`
	AfterUser        []string     `yaml:"after_user"`
	Abbreviations    wordlist.Set `yaml:"abbreviations"`
}
