package assess

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/payload"
)

// A model chose what stands beside the attacked value, also in the same member.
func TestByModel(t *testing.T) {
	c := &payload.AttackCall{
		Arguments: json.RawMessage(`{"q":{"text":"payload","file":"~/.ssh/id_rsa","list":[1,"x"]},"to":["a"]}`),
		Attack:    mcpsf.AttackDetail{Place: "/q/text"},
	}
	made := byModel(c)
	for pointer, want := range map[string]mcpsf.ValueOrigin{
		"/q/text": "", "/q/file": mcpsf.OriginAgent, "/q/list/1": mcpsf.OriginAgent, "/to/0": mcpsf.OriginAgent,
	} {
		if got := made.At(pointer); got != want {
			t.Errorf("%s is by %q, want %q", pointer, got, want)
		}
	}
}
