package schema

import (
	"errors"
	"strings"
)

// maxChecks bounds the work of one validation.
// gap: tools-failed
const maxChecks = 60_000

// affordable walks the schema over the value as a validator does and reports
// whether that ends within bounds. Validators have no such bound: with a few
// hundred bytes of definitions that each refer twice to the next they never
// finish.
func affordable(root, value any) bool {
	c := &coster{root: root, left: maxChecks}
	c.visit(root, value, 0)
	return c.left > 0
}

type coster struct {
	root any
	left int
}

func (c *coster) visit(node, value any, hops int) {
	s, ok := node.(map[string]any)
	if c.left--; c.left <= 0 || !ok {
		return
	}
	if hops > maxHops { // references that form a cycle on the same value
		c.left = 0
		return
	}
	for key, sub := range s {
		switch key {
		case "$ref", "$dynamicRef", "$recursiveRef":
			target, ok := lookup(c.root, sub)
			if !ok { // the validator may resolve it; its cost is unknown
				c.left = 0
				return
			}
			c.visit(target, value, hops+1)
		case "not", "if", "then", "else", "allOf", "anyOf", "oneOf":
			c.each(sub, value, hops+1)
		case "dependentSchemas", "dependencies":
			c.named(sub, value, hops+1)
		case "enum", "const", "required", "dependentRequired":
			c.left -= size(sub)
		case "pattern":
			c.match(sub, value)
		case "uniqueItems":
			n := len(list(value))
			c.left -= n * n / 64
		default:
			c.children(key, sub, value)
		}
	}
}

// match charges for matching an expression with a string.
func (c *coster) match(pattern, value any) {
	p, _ := pattern.(string)
	s, _ := value.(string)
	if cost, err := patternCost(p); err == nil {
		c.left -= cost/16 + len(s)*cost/256
	}
}

// each visits a schema or a list of them.
func (c *coster) each(sub, value any, hops int) {
	list, ok := sub.([]any)
	if !ok {
		list = []any{sub}
	}
	for _, s := range list {
		c.visit(s, value, hops)
	}
}

// named visits the schemas in a map.
func (c *coster) named(sub, value any, hops int) {
	m, _ := sub.(map[string]any)
	for _, s := range m {
		c.visit(s, value, hops)
	}
}

// children visits the parts of the value with the schemas for parts. It matches
// a part to its schema only where that is easy; otherwise it counts every part
// with every schema, which can only overestimate.
func (c *coster) children(key string, sub, value any) {
	visit := c.each
	switch key {
	case "patternProperties":
		visit = c.named
	case "properties", "additionalProperties", "unevaluatedProperties", "propertyNames",
		"items", "prefixItems", "additionalItems", "unevaluatedItems", "contains":
	default:
		return
	}
	byName, _ := sub.(map[string]any)
	switch value := value.(type) {
	case []any:
		for _, e := range value {
			visit(sub, e, 0)
		}
	case map[string]any:
		for name, e := range value {
			if key == "patternProperties" {
				for pattern := range byName {
					c.match(pattern, name)
				}
			}
			if key == "properties" {
				c.visit(byName[name], e, 0)
			} else {
				visit(sub, e, 0)
			}
		}
	}
}

// size counts the values in v, the cost of comparing with v.
func size(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += size(e)
		}
	case map[string]any:
		for _, e := range v {
			n += size(e)
		}
	case string:
		n += len(v) / 64
	}
	return n
}

// lookup follows a reference inside the document.
func lookup(root, ref any) (any, bool) {
	s, ok := ref.(string)
	if !ok || !strings.HasPrefix(s, "#") {
		return nil, false
	}
	if s == "#" {
		return root, true
	}
	if !strings.HasPrefix(s, "#/") {
		return anchored(root, s[1:])
	}
	node := root
	for part := range strings.SplitSeq(s[2:], "/") {
		part = unescape(part)
		switch n := node.(type) {
		case map[string]any:
			if node, ok = n[part]; !ok {
				return nil, false
			}
		case []any:
			i, err := index(part, len(n))
			if err != nil {
				return nil, false
			}
			node = n[i]
		default:
			return nil, false
		}
	}
	return node, true
}

// anchored finds the part of the document that has the anchor.
func anchored(node any, name string) (any, bool) {
	switch n := node.(type) {
	case []any:
		for _, e := range n {
			if found, ok := anchored(e, name); ok {
				return found, true
			}
		}
	case map[string]any:
		if n["$anchor"] == name {
			return n, true
		}
		for _, key := range sortedKeys(n) {
			if found, ok := anchored(n[key], name); ok {
				return found, true
			}
		}
	}
	return nil, false
}

// embedded refuses a document that contains other schema documents: the target
// of a reference would then depend on where the reference is.
func embedded(node any, top bool) error {
	switch node := node.(type) {
	case []any:
		for _, e := range node {
			if err := embedded(e, false); err != nil {
				return err
			}
		}
	case map[string]any:
		if _, ok := node["$id"].(string); ok && !top {
			return errors.New("the schema contains another")
		}
		for _, e := range node {
			if err := embedded(e, false); err != nil {
				return err
			}
		}
	}
	return nil
}
