package payload

import (
	"encoding/json"

	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// worldSpecific matches what differs between two otherwise equal payloads:
// names and addresses of a world, and long numbers.
var worldSpecific = lazyregexp.New(`mc[g-z][0-9a-f]{6,}|\b127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\d{5,}`)

// fingerprint is the same for payloads that try the same.
func fingerprint(tool, class, pointer string, value any) string {
	return tool + "\n" + class + "\n" + pointer + "\n" + worldSpecific.ReplaceAllString(text(value), "§")
}

// remember records a call that is made anyway.
func (p *proposer) remember(c *AttackCall) {
	if c.Attack.Plain {
		p.guarded[c.Tool+"\n"+c.Attack.Class+"\n"+c.Attack.Place] = true
	}
	if len(c.Arguments) > maxArguments {
		return // no model writes that
	}
	raw, ok := schema.Get(c.Arguments, c.Attack.Place)
	if !ok {
		return
	}
	if value, ok := decodedAny(raw); ok {
		p.seen[fingerprint(c.Tool, c.Attack.Class, c.Attack.Place, value)] = true
	}
}

func decodedAny(raw json.RawMessage) (any, bool) {
	o := decoded(json.RawMessage(`{"v":` + string(raw) + `}`))
	return o["v"], o != nil
}
