package llmreview

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

// TestProbeTables: the tables can be read, and sentences that order a word have
// a place for it.
func TestProbeTables(t *testing.T) {
	tables, err := wordlist.Read[probeTables](probesFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range tables.Word {
		if strings.Count(s, "%s") != 1 {
			t.Errorf("no place for the word in %q", s)
		}
	}
}
