package schema

import (
	"encoding/json"
	"strings"
	"testing"
)

// A value put there may be larger than any generated value.
func TestPutMuch(t *testing.T) {
	args, err := Put(json.RawMessage(`{"text":"a"}`), "/text", strings.Repeat("a", 1<<20))
	if err != nil || len(args) < 1<<20 {
		t.Errorf("a megabyte: %d, %v", len(args), err)
	}
	if _, err := Put(json.RawMessage(`{"text":"a"}`), "/text", strings.Repeat("a", maxPut)); err == nil {
		t.Error("no bound")
	}
}
