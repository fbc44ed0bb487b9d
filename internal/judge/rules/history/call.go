package history

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Call is one request to the server. Its arguments are parsed on first use,
// because most calls are never examined.
type Call struct {
	Method string
	tool   string
	// prompt is the name in a prompts/get.
	prompt string
	Params json.RawMessage
	// server are the values of the parameters that the server made.
	server   mcpsf.ServerValues
	Attack   *mcpsf.AttackDetail // nil for an ordinary call
	Size     int64
	answered bool
	// again is set if the same call was made before. asked counts the server's
	// own requests and notifications during the call, by method.
	again bool
	asked map[string]int

	arguments *arguments
	strings   []argument
	claims    *[]declared.Claim
	index     *claimIndex
	hosts     declared.HostClaims
	// texts are the strings of the arguments without quotation marks, own those
	// of them that the server did not make, and words their words; lowered is
	// Params in lower case.
	texts   *[]string
	own     []string
	words   map[string]bool
	command *bool
	lowered []byte
}

// maxHeard is how many different methods of the server are counted in one call.
// no gap: MCP has fewer; each request is an event of its own
const maxHeard = 64

// heard counts a request or notification of the server.
func (c *Call) heard(e *mcpsf.Event) {
	if c == nil || len(c.asked) >= maxHeard && c.asked[e.MCP.Method] == 0 {
		return
	}
	if c.asked == nil {
		c.asked = map[string]int{}
	}
	c.asked[e.MCP.Method] += int(max(e.Count, 1))
}

// arguments are the parts of a request's params that the caller fills in.
type arguments struct {
	URI       string                     `json:"uri"`
	Arguments map[string]json.RawMessage `json:"arguments"`
	// broken is set for params that are too large or no JSON.
	broken bool
}

// argument is a string in the arguments of a call.
type argument struct {
	Name, Value string
	// key is set if the string is a member's name and not its value.
	key bool
	// from is where the server made it, "" if the user or we did.
	from mcpsf.ValueOrigin
}

// ByServer tells whether the server made the string. Then it explains nothing.
// The names of members are the schema's, so they are always the server's.
func (a *argument) ByServer() bool { return a.key || a.from != "" }

// given parses the arguments.
func (c *Call) given() *arguments {
	if c.arguments == nil {
		c.arguments = &arguments{}
		if len(c.Params) > lex.MaxParams || json.Unmarshal(c.Params, c.arguments) != nil {
			c.arguments = &arguments{broken: true}
		}
	}
	return c.arguments
}

// Each returns all strings of the arguments, in a fixed order.
func (c *Call) Each() []argument {
	if c.strings != nil {
		return c.strings
	}
	p := c.given()
	c.strings = []argument{}
	if p.URI != "" {
		c.strings = append(c.strings, argument{Name: "uri", Value: p.URI, from: c.server.At("/uri")})
	}
	for _, name := range lex.SortedKeys(p.Arguments) {
		for s := range lex.Places(p.Arguments[name], "/arguments/"+mcpsf.PointerPart(name)) {
			c.strings = append(c.strings, argument{Name: name, Value: s.Value, key: s.Key, from: c.server.At(s.Pointer)})
		}
	}
	c.strings = append(c.strings, c.inText()...)
	return c.strings
}

// inText returns the payload of an attack that stands inside a text: there it is
// escaped, and it is ours even if other parts of the text are the server's.
func (c *Call) inText() []argument {
	if c.Attack == nil || c.tool == "" {
		return nil
	}
	if _, _, inside := mcpsf.PointerText(c.Attack.Place); !inside {
		return nil
	}
	return []argument{{Name: mcpsf.PointerArgument(c.Attack.Place), Value: c.Attack.Payload}}
}

// values returns the caller's strings without quotation marks, because a server
// may quote them differently.
func (c *Call) values() []string {
	if c.texts != nil {
		return *c.texts
	}
	texts := []string{}
	for _, a := range c.Each() {
		if len(texts) >= lex.MaxClaims {
			break
		}
		text := a.text()
		if text == "" {
			continue
		}
		texts = append(texts, text)
		if !a.ByServer() {
			c.own = append(c.own, text)
		}
	}
	c.texts = &texts
	return texts
}

// ownValues returns those of the strings that the server did not make: only they
// can ask for something.
func (c *Call) ownValues() []string {
	c.values()
	return c.own
}

// text returns the value without quotation marks, "" for the name of a member.
func (a *argument) text() string {
	if a.key || len(a.Value) > lex.MaxValue {
		return ""
	}
	return strings.TrimSpace(lex.Unquoted(a.Value))
}

// imposes tells whether only the schema names an address in the arguments: as a
// default, as the only choice, or as the name of a member.
func (c *Call) imposes(address string) bool {
	imposed := false
	for _, a := range c.Each() {
		if strings.Contains(strings.ToLower(a.Value), address) {
			if !a.key && !a.from.Imposed() {
				return false
			}
			imposed = true
		}
	}
	return imposed
}

// lower returns the params in lower case, cached for repeated searches.
func (c *Call) lower() []byte {
	if c.lowered == nil {
		c.lowered = bytes.ToLower(c.Params[:min(len(c.Params), lex.MaxParams)])
	}
	return c.lowered
}

// EasierThan prefers calls without an attack, then shorter ones.
func (c *Call) EasierThan(other *Call) bool {
	if (c.Attack == nil) != (other.Attack == nil) {
		return c.Attack == nil
	}
	return len(c.Params) < len(other.Params)
}
