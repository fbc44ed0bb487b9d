package schema

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Bounds of what is generated.
// gap: tools-failed
const (
	maxSteps  = 20_000
	maxWork   = 3 * maxSteps // for all attempts together
	maxLevels = 8
	// maxElements bounds the elements of an array and the properties of an
	// object.
	// gap: inputs-too-large
	maxElements = 1000
	// many is how many elements no ordinary tool demands.
	many = 64
)

// deep is the nesting level from which values are made as small as possible, so
// that a recursive schema ends.
const deep = 4

// wild is the attempt from which choices are made independently of each other.
const wild = 4

// generator makes one value.
type generator struct {
	task

	root    any
	values  meaning.Values
	lexicon *meaning.Lexicon
	tool    *toolText
	// compiled holds the patterns compiled so far.
	compiled map[string]*expression

	variant int
	random  *rand.Rand
	steps   int      // work that may still be done
	salt    int      // differs between the elements of one array
	level   int      // nesting depth in the value
	path    []string // path to the current value
	// origins are the places that the server made.
	origins origins
	// tooLarge is set when the schema demands a larger value than is made,
	// demanding when it demands an unusually large one.
	tooLarge, demanding bool
}

// demanded notes how large a value has to be, and returns how large it is made.
func (g *generator) demanded(least, most int) int {
	g.demanding = g.demanding || least > many
	g.tooLarge = g.tooLarge || least > most
	return min(least, most)
}

// input makes the whole value. A tool's input is an object unless the schema
// allows only another type.
func (g *generator) input() any {
	s := g.flatten(g.root, 0)
	if s["type"] == nil && s["const"] == nil && s["enum"] == nil {
		return g.object(s)
	}
	return g.value(g.root, "", nil)
}

// place is a schema and the position in the value that it applies to.
type place struct {
	schema      map[string]any
	name, about string
	beside      map[string]any // the properties of the same object
}

func newPlace(s map[string]any, name string, beside map[string]any) place {
	about, _ := s["description"].(string)
	if title, _ := s["title"].(string); about == "" {
		about = title
	}
	return place{schema: s, name: name, about: about, beside: beside}
}

// value makes a value for a schema; name is the property's name.
func (g *generator) value(node any, name string, beside map[string]any) any {
	if g.steps--; g.steps < 0 || g.level > maxLevels {
		return nil
	}
	s := g.flatten(node, 0)
	p := newPlace(s, name, beside)
	if o, ok := g.given(p); ok && !g.wanted() {
		g.byServer(o.from)
		return o.value
	}
	switch g.kind(s) {
	case "object":
		if members := g.values.Document(p.name, p.about); members != nil && isOpen(s) && !g.wanted() {
			return members
		}
		return g.object(s)
	case "array":
		return g.array(p)
	case "integer", "number":
		return g.number(p)
	case "boolean":
		return g.boolean(p)
	case "null":
		return nil
	}
	return g.text(p)
}

// isOpen reports whether the schema of an object leaves open what is in it.
func isOpen(s map[string]any) bool {
	properties, _ := s["properties"].(map[string]any)
	return len(properties) == 0 && len(list(s["required"])) == 0 && s["additionalProperties"] != false
}

// inside makes a part of the value.
func (g *generator) inside(key string, node any, name string, beside map[string]any) any {
	g.level++
	g.path = append(g.path, key)
	g.anew()
	v := g.value(node, name, beside)
	g.path = g.path[:len(g.path)-1]
	g.level--
	return v
}

// wanted reports whether the requested place is inside the current value.
func (g *generator) wanted() bool {
	return len(g.path) < len(g.want) && slices.Equal(g.path, g.want[:len(g.path)])
}

// element reports whether the current value is an element of an array.
func (g *generator) element() bool {
	if len(g.path) == 0 {
		return false
	}
	_, err := strconv.Atoi(g.path[len(g.path)-1])
	return err == nil
}

// kind chooses a type.
func (g *generator) kind(s map[string]any) string {
	useful := slices.DeleteFunc(slices.Clone(types(s["type"])), func(t any) bool { return t == "null" })
	if len(useful) > 0 {
		kind, _ := useful[g.pick(len(useful))].(string)
		return kind
	}
	if len(types(s["type"])) > 0 {
		return "null"
	}
	for _, hint := range []struct{ keyword, kind string }{
		{"properties", "object"}, {"required", "object"}, {"patternProperties", "object"}, {"minProperties", "object"},
		{"items", "array"}, {"prefixItems", "array"}, {"minItems", "array"}, {"contains", "array"},
		{"minimum", "number"}, {"maximum", "number"}, {"multipleOf", "number"},
	} {
		if _, ok := s[hint.keyword]; ok {
			return hint.kind
		}
	}
	return "string"
}

func (g *generator) boolean(p place) any {
	yes := (g.variant+g.turn+g.salt)%2 == 0
	if usual, ok := p.schema["default"].(bool); ok && g.variant == 0 && departs("boolean", g.turn) {
		return !usual
	}
	for _, w := range meaning.Words(p.name) {
		switch w {
		case "dry", "simulate", "preview", "noop": // a dry run shows little behaviour
			return !yes
		}
	}
	return yes
}

func (g *generator) array(p place) any {
	s := p.schema
	fixed := list(s["prefixItems"])
	rest := s["items"]
	if tuple := list(rest); tuple != nil { // tuple syntax before 2020-12
		fixed, rest = tuple, s["additionalItems"]
	}
	if rest == nil && g.turn%2 == 1 {
		rest = map[string]any{"type": "integer"} // of a list without a type every other one has numbers
	}
	least := count(s["minItems"], 0)
	if _, ok := s["contains"]; ok {
		least = max(least, count(s["minContains"], 1))
	}
	want := max(least, len(fixed), 1)
	if g.level >= deep || rest == false {
		want = max(least, len(fixed))
	}
	if g.wanted() {
		want = max(want, 1)
	}
	g.demanded(least, maxElements)
	want = min(want, count(s["maxItems"], want), maxElements)
	out := make([]any, 0, want)
	outer := g.salt
	for i := range want {
		node := rest
		if i < len(fixed) {
			node = fixed[i]
		} else if c, ok := s["contains"]; ok {
			node = map[string]any{"allOf": []any{c, rest}}
		}
		g.salt = outer + i
		out = append(out, g.inside(strconv.Itoa(i), withAbout(node, p), p.name, p.beside))
	}
	g.salt = outer
	return out
}

// withAbout gives the array's description to elements that have none.
func withAbout(node any, p place) any {
	s, ok := node.(map[string]any)
	if node != nil && !ok || p.about == "" || s["description"] != nil || s["$ref"] != nil {
		return node
	}
	s = maps.Clone(s)
	if s == nil {
		s = map[string]any{}
	}
	s["description"] = p.about
	return s
}

// pick chooses one of n: the first in the first attempt, then the others in
// turn, later any. The choice also depends on the nesting level, so that a
// recursive alternative is not chosen for ever.
func (g *generator) pick(n int) int {
	if g.variant >= wild {
		return g.random.IntN(n)
	}
	step := g.variant + g.turn + g.salt
	if g.level >= deep {
		step += g.level
	}
	return step % n
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
