package promptscan

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

// TestTables: the tables can be read, none is missing, none has a word twice.
func TestTables(t *testing.T) {
	if _, err := wordlist.Read[wordTables](tablesFile); err != nil {
		t.Fatal(err)
	}
}
