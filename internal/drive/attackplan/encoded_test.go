package attackplan

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// A content that can be sent encoded is attacked encoded as well, with the flag.
func TestEncodedPayloads(t *testing.T) {
	for name, c := range map[string]struct {
		schema string
		on     string // the flag in the arguments
		decode func(string) ([]byte, error)
	}{
		"flag":     {`{"content":{"type":"string"},"is_base64":{"type":"boolean"}}`, `"is_base64":true`, base64.StdEncoding.DecodeString},
		"encoding": {`{"data":{"type":"string"},"encoding":{"type":"string","enum":["utf8","hex"]}}`, `"encoding":"hex"`, hex.DecodeString},
	} {
		s := &mcpsf.Session{Tools: []mcpsf.Tool{{Name: "render", InputSchema: json.RawMessage(`{"type":"object","properties":` + c.schema + `}`)}}}
		plan := Plan{World: attack.New(1), Values: meaning.Values{Dir: "/srv"}, Seed: 1, Most: 10000}
		classes := map[string]bool{}
		for _, call := range plan.Calls(s) {
			if !strings.Contains(call.Attack.Why, ", in ") || !strings.Contains(string(call.Arguments), c.on) {
				continue
			}
			if plain, err := c.decode(call.Attack.Payload); err != nil || len(plain) == 0 {
				t.Errorf("%s: %q is not encoded", name, call.Attack.Payload)
			}
			classes[call.Attack.Class] = true
		}
		for _, class := range []string{"template-injection", "command-injection"} {
			if !classes[class] {
				t.Errorf("%s: %s is not made encoded, only %v", name, class, classes)
			}
		}
	}
}

// Nothing is encoded where no argument says so, and a path never is.
func TestPathsAreNotEncoded(t *testing.T) {
	for _, properties := range []string{`{"content":{"type":"string"},"verbose":{"type":"boolean"}}`, `{"path":{"type":"string"},"is_base64":{"type":"boolean"}}`} {
		s := &mcpsf.Session{Tools: []mcpsf.Tool{{Name: "render", InputSchema: json.RawMessage(`{"type":"object","properties":` + properties + `}`)}}}
		plan := Plan{World: attack.New(1), Values: meaning.Values{Dir: "/srv"}, Seed: 1, Most: 10000}
		for _, call := range plan.Calls(s) {
			if strings.HasSuffix(call.Attack.Why, ", in Base64") {
				t.Fatalf("%s: %s", properties, call.Arguments)
			}
		}
	}
}

// What is loaded in a format is attacked in that format, with the flag that it needs.
func TestFormats(t *testing.T) {
	s := &mcpsf.Session{Tools: []mcpsf.Tool{{Name: "import_state", InputSchema: json.RawMessage(
		`{"type":"object","properties":{"data":{"type":"string","description":"The snapshot"},"format":{"type":"string","enum":["json","binary"]},"is_base64":{"type":"boolean"}},"required":["data"]}`)}}}
	plan := Plan{World: attack.New(1), Values: meaning.Values{Dir: "/srv"}, Seed: 1, Most: 10000}
	found := 0
	for _, call := range plan.Calls(s) {
		args := string(call.Arguments)
		if call.Attack.Class != "deserialisation" || !strings.Contains(args, `"format":"binary"`) {
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(call.Attack.Payload)
		if err != nil || !strings.Contains(string(raw), "system") || !strings.Contains(args, `"is_base64":true`) {
			t.Errorf("%s: %s", call.Attack.Why, args)
		}
		found++
	}
	if found == 0 {
		t.Error("no pickle is sent as a binary")
	}
}
