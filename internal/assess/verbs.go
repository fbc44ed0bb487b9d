package assess

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed verbs.yaml
var verbsFile []byte

// verbs reads the table once.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var verbs = sync.OnceValue(func() *verbTables { return wordlist.Must[verbTables](verbsFile) })

// verbTables are the tables of verbs.yaml, which says what each is for.
type verbTables struct {
	Reads  wordlist.Set `yaml:"reads"`
	Writes wordlist.Set `yaml:"writes"`
}
