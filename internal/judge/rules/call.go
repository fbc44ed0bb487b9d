package rules

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// call is one request of ours. What its arguments hold is worked out when
// somebody asks, because most calls are asked nothing.
type call struct {
	method string
	tool   string
	// prompt is what a prompts/get asked for.
	prompt   string
	params   json.RawMessage
	attack   *mcpsf.AttackDetail // what it was to find out, nil for nothing
	size     int64
	answered bool
	// again is set if the same was asked for before; asked counts what the
	// server asked for and told meanwhile, by method.
	again bool
	asked map[string]int

	arguments *arguments
	strings   []argument
	claims    *[]claim
	hosts     hostClaims
	// texts are the strings of the arguments without quotation marks, lowered
	// is params in lower case.
	texts   *[]string
	lowered []byte
}

// maxHeard is how many methods of the server's are told apart in one call.
const maxHeard = 64

// heard counts a message of the server's own.
func (c *call) heard(e *mcpsf.Event) {
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
	name, value string
	// key is set for the name of a member and not its value.
	key bool
}

// given are the arguments.
func (c *call) given() *arguments {
	if c.arguments == nil {
		c.arguments = &arguments{}
		if len(c.params) > maxParams || json.Unmarshal(c.params, c.arguments) != nil {
			c.arguments = &arguments{broken: true}
		}
	}
	return c.arguments
}

// each are all strings of the arguments, in a fixed order.
func (c *call) each() []argument {
	if c.strings != nil {
		return c.strings
	}
	p := c.given()
	c.strings = []argument{}
	if p.URI != "" {
		c.strings = append(c.strings, argument{name: "uri", value: p.URI})
	}
	for _, name := range sortedKeys(p.Arguments) {
		walked(p.Arguments[name], func(value string, key bool) bool {
			c.strings = append(c.strings, argument{name, value, key})
			return true
		})
	}
	return c.strings
}

// values are the strings that the caller gave, without quotation marks: quoting
// changes them, and what is quoted is still the caller's.
func (c *call) values() []string {
	if c.texts != nil {
		return *c.texts
	}
	texts := []string{}
	for _, a := range c.each() {
		if a.key || len(a.value) > maxValue || len(texts) >= maxClaims {
			continue
		}
		if text := strings.TrimSpace(unquoted(a.value)); text != "" {
			texts = append(texts, text)
		}
	}
	c.texts = &texts
	return texts
}

// lower is the call's params in lower case, for one search after another.
func (c *call) lower() []byte {
	if c.lowered == nil {
		c.lowered = bytes.ToLower(c.params[:min(len(c.params), maxParams)])
	}
	return c.lowered
}
