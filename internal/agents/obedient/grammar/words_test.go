package grammar

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

// TestWords: the tables can be read, none is missing, none has a word twice.
func TestWords(t *testing.T) {
	if _, err := wordlist.Read[wordTables](wordsFile); err != nil {
		t.Fatal(err)
	}
}
