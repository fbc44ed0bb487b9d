package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// A value of some kinds of characters is our word for it, and no path.
func TestMendLetters(t *testing.T) {
	for _, tt := range []struct{ property, refusal, want string }{
		{"title", "a title has letters, digits, spaces, hyphens and underscores", `{"title":"example"}`},
		{"folder", "folder: only lowercase letters and dashes", `{"folder":"example"}`},
	} {
		in := schema.Input{JSON: json.RawMessage(`{"` + tt.property + `":"/home/dev/Documents/projects"}`), Server: mcpsf.ServerValues{}}
		got := schema.Mend(json.RawMessage(properties(`"`+tt.property+`":{"type":"string"}`)), in, refusal.Read(tt.refusal), planted(), 1)
		if string(got.Input.JSON) != tt.want || len(got.Input.Server) > 0 {
			t.Errorf("%q: %s of %+v, want %s", tt.refusal, got.Input.JSON, got.Input.Server, tt.want)
		}
	}
}

// The name of what a tool makes is no folder, though its description speaks of one.
func TestNameOfWhatIsMade(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","description":"Folder of the new fence"}},"required":["name"]}`)
	for tool, want := range map[string]string{"put_fence": `{"name":"example"}`, "create_folder": `{"name":"/home/dev/Documents/projects"}`} {
		in, err := schema.Generate(raw, planted().ForTool(&mcpsf.Tool{Name: tool}), 1)
		if err != nil || string(in.JSON) != want {
			t.Errorf("%s: %s, %v, want %s", tool, in.JSON, err, want)
		}
	}
}
