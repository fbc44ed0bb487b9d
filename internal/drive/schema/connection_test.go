package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// An optional connection string is sent, and neither a format nor an example takes its place.
func TestConnectionStringIsSent(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","properties":{"connectionString":{"type":"string","format":"uri","description":"PostgreSQL connection string (e.g. 'postgresql://user:pass@localhost:5432/db')"}}}`)
	got, err := generate(raw, meaning.Values{Samples: meaning.Samples{DatabaseHost: "db.own.example"}}, 1)
	if err != nil || !strings.Contains(string(got), "@db.own.example:5432/app") {
		t.Errorf("%s, %v", got, err)
	}
}

// A list of examples gives the first.
func TestExamplesOfAKind(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","properties":{"kind":{"type":"string","description":"kind of the resource (examples of valid kind are: Pod, Service, Deployment)"}},"required":["kind"]}`)
	if got, err := generate(raw, meaning.Values{}, 1); err != nil || !strings.Contains(string(got), `"Pod"`) {
		t.Errorf("%s, %v", got, err)
	}
}
