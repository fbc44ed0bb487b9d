package schema_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// An example for something that no argument is called like is tried for one argument
// after the other.
func TestMendTakesTurns(t *testing.T) {
	two := `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"mode":{"enum":["x","y"]},"note":{"type":"string"}},"required":["a","b","mode"]}`
	code, head := "A plate looks like FR AB99.", `A head is a document like {"k": "v", "n": 1}.`
	tests := []struct {
		name, in, refusal string
		want              []string
	}{
		{"a value", `{"a":"1","b":"2","mode":"x"}`, code, []string{
			`{"a":"FR AB99","b":"2","mode":"x"}`, `{"a":"example","b":"FR AB99","mode":"x"}`, `{"a":"FR","b":"example","mode":"x"}`,
		}},
		{"a document", `{"a":"1","b":"2","mode":"x"}`, head, []string{
			`{"a":"{\"k\": \"v\", \"n\": 1}","b":"2","mode":"x"}`, `{"a":"example","b":"{\"k\": \"v\", \"n\": 1}","mode":"x"}`, ``,
		}},
		{"nothing to try", `{"mode":"x"}`, head, []string{``}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw, in := json.RawMessage(two), schema.Input{JSON: json.RawMessage(tt.in), Server: mcpsf.ServerValues{}}
			for _, want := range tt.want {
				got := schema.Mend(raw, in, refusal.Read(tt.refusal), planted(), 1)
				if got.Changed != (want != "") || got.Changed && string(got.Input.JSON) != want {
					t.Fatalf("got %s, changed %v; want %s", got.Input.JSON, got.Changed, want)
				}
				raw, in = got.Schema, got.Input
			}
		})
	}
}

// What was refused in an example is mended in it, though the refusal shows it again.
func TestMendInsideAnExample(t *testing.T) {
	const again = ` A head is a document like {"k": "v", "n": 9}.`
	one := `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}`
	got := mends(t, one, `{"a":"1","b":"2"}`, "That is no head."+again, "n must be at most 5."+again, "n must be at least 3."+again)
	var args struct{ A string }
	var inner struct {
		K string
		N int
	}
	if json.Unmarshal(got.Input.JSON, &args) != nil || json.Unmarshal([]byte(args.A), &inner) != nil || inner.K != "v" || inner.N > 5 {
		t.Errorf("got %s", got.Input.JSON)
	}
	if from := got.Input.Server.At("/a"); from != mcpsf.OriginRefusal || slices.ContainsFunc(got.Input.Server, func(v mcpsf.ServerValue) bool { return v.Pointer == "/b" }) {
		t.Errorf("the values are %+v", got.Input.Server)
	}
}
