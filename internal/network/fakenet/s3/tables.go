package s3

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed tables.yaml
var tablesText []byte

// tabled is the content of tables.yaml.
type tabled struct {
	Hosts struct {
		Marked   []string `yaml:"marked"`
		Regional []string `yaml:"regional"`
		Plain    []string `yaml:"plain"`
		Others   []string `yaml:"others"`
		Paths    []string `yaml:"paths"`
	} `yaml:"hosts"`
	BucketParameters []string          `yaml:"bucket_parameters"`
	Settings         map[string]string `yaml:"settings"`
	Faults           map[string]string `yaml:"faults"`
}

// tables parses tables.yaml once. A test ensures that it is valid.
//
//nolint:gochecknoglobals // compiled once like a regular expression, and never changed
var tables = sync.OnceValue(func() *tabled {
	return wordlist.Must[tabled](tablesText)
})
