package attackplan

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

// AttackCall is a call that tests for a weakness.
type AttackCall struct {
	// Tool is the called tool. For a prompt, resource or completion it is the
	// name that reports show.
	Tool      string
	Arguments json.RawMessage
	Attack    mcpsf.AttackDetail
	// Server are the values of the arguments that the server made. nil means
	// that nobody said.
	Server mcpsf.ServerValues
	// Sequence are the calls after which the tool worked, itself last: in a new start
	// of the server, what they made is not there. nil means that it needs none.
	Sequence []mcpsf.Step
	// Then are the sequences of tools that worked with what this one returned, each
	// with the tool itself as the last: a payload that is only stored acts there.
	Then [][]mcpsf.Step

	target *target // nil means a tool
}

// Request returns the method of the call and its parameters with the given
// arguments.
func (c *AttackCall) Request(args json.RawMessage, a *mcpsf.AttackDetail) (method string, params map[string]any) {
	t := c.target
	if t == nil {
		t = &target{method: protocol.MethodCall, name: c.Tool}
	}
	params, _ = t.params(a, args)
	return t.method, params
}

// ServerValues returns the values that the server made, by their place in the
// parameters of the request.
func (c *AttackCall) ServerValues() mcpsf.ServerValues {
	if c.Server == nil {
		return nil
	}
	if c.target == nil || c.target.method == protocol.MethodCall || c.target.method == protocol.MethodPrompt {
		return c.Server.Under("/arguments")
	}
	// The address of a resource is the server's but for the payload, and the
	// attack says what that asks for.
	return mcpsf.ServerValues{{Pointer: "", From: mcpsf.OriginListed}}
}

// params returns the parameters of the request with the given arguments. ok is
// false if one request cannot express them.
func (t *target) params(a *mcpsf.AttackDetail, args json.RawMessage) (map[string]any, bool) {
	if t.method == protocol.MethodCall || t.method == protocol.MethodPrompt {
		return map[string]any{"name": t.name, "arguments": args}, true
	}
	var values map[string]string
	if json.Unmarshal(args, &values) != nil {
		return nil, false // an address can contain only text
	}
	if t.method == protocol.MethodRead {
		return map[string]any{"uri": t.template.Expand(values, a.Encoded)}, true
	}
	name := mcpsf.PointerName(strings.TrimPrefix(a.Place, "/"))
	argument := map[string]string{"name": name, "value": values[name]}
	delete(values, name)
	ref := map[string]string{"type": "ref/prompt", "name": t.of.name}
	if t.of.method == protocol.MethodRead {
		ref = map[string]string{"type": "ref/resource", "uri": t.of.name}
	}
	return map[string]any{"ref": ref, "argument": argument, "context": map[string]any{"arguments": values}}, true
}
