package installation

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpsf/mcpsf/internal/assess/planted"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// What an installation is stored with is what was planted, bytes that are no text
// included: a token that is changed is neither found nor unlike other data.
func TestStoredMarks(t *testing.T) {
	home, err := decoys.Mint(3, time.Date(2026, 11, 19, 9, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	want := planted.Home(&home)
	note, err := json.Marshal(record{Canaries: storedMarks(want)})
	if err != nil {
		t.Fatal(err)
	}
	var r record
	if err := json.Unmarshal(note, &r); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, marksOf(r.Canaries), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}
