package mail

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

// lists are names of fields.
type lists struct {
	RecipientFields wordlist.Set `yaml:"recipient_fields"`
}
