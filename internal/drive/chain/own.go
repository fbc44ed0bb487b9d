package chain

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// maxOwn bounds the places that are remembered as ours.
// no gap: a place that is not remembered is not taken from a result, and the tool is called with another one
const maxOwn = 256

// Sent remembers the places in an input that we named ourselves. A tool that returns
// one of them, as what a thing is called by, chose nothing.
func (m *Memory) Sent(in schema.Input) {
	var members map[string]any
	if json.Unmarshal(in.JSON, &members) != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		text, ok := members[name].(string)
		if !ok || !plain(text) || !strings.HasPrefix(text, "/") && !strings.Contains(text, "://") {
			continue
		}
		if in.Server.At("/"+mcpsf.PointerPart(name)) == "" && len(m.own) < maxOwn {
			if m.own == nil {
				m.own = map[string]bool{}
			}
			m.own[text] = true
		}
	}
}

// ours is [ours], and true of what we sent.
func (m *Memory) ours(value string, current any) bool { return m.own[value] || ours(value, current) }

// With puts a value of a result into an input. It is the server's, unless we sent it.
func (m *Memory) With(in schema.Input, pointer string, value any) (schema.Input, error) {
	out, err := in.WithServer(pointer, value, mcpsf.OriginResult)
	if text, ok := value.(string); ok && m.own[text] {
		out.Server = out.Server.Without(pointer)
	}
	return out, err
}
