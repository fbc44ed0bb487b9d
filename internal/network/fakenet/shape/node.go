package shape

import (
	"slices"
	"strconv"

	"github.com/mcpsf/mcpsf"
)

// The bounds of what is expected.
// no gap: bounds our own made-up answers
const (
	maxDepth    = 16
	maxNodes    = 4000 // of one shape, and of all that apply to one answer
	maxMembers  = 400  // of one object
	maxAccepted = 20
)

// The kinds of values, as in [mcpsf.Shape].
const (
	object  = "object"
	array   = "array"
	text    = "string"
	number  = "number"
	boolean = "boolean"
	null    = "null"
)

// node is what is expected of a value.
type node struct {
	kind     string
	members  map[string]*node
	names    []string // of the members, sorted; put adds them
	element  *node
	accepted []string
	// form is what a text or number looks like, "" if its name tells.
	form string
	// absent is set for a member that must not be there.
	absent bool
	// closed is set for an object that has no other members.
	closed bool
	// required says that the program fails with other values than the accepted
	// ones, turns that these take turns.
	required, turns bool
}

// nodeOf translates a shape; left is how many nodes may be made.
func nodeOf(s *mcpsf.Shape, depth int, left *int) *node {
	if s == nil || depth > maxDepth || *left <= 0 {
		return nil
	}
	*left--
	n := &node{kind: kindOf(s.Type), absent: s.Absent, closed: s.Closed, required: s.Required, form: formOf(s.Format)}
	if s.Type == null {
		n.kind = null
	}
	for _, value := range s.Accepted[:min(len(s.Accepted), maxAccepted)] {
		if permittedValue(value) {
			n.accepted = append(n.accepted, value)
		}
	}
	n.turns = len(n.accepted) > 1 || len(n.accepted) == 1 && !n.required && n.kind == text && isBad(n.accepted[0])
	for _, name := range sortedKeys(s.Members) {
		// A program reads an error to see whether there is one.
		if child := nodeOf(s.Members[name], depth+1, left); child != nil && permittedName(name) && (formByName(name) != "nothing" || child.absent || child.kind == null || child.required) {
			n.put(name, child)
		}
	}
	n.element = nodeOf(s.Element, depth+1, left)
	return n.settle()
}

// settle derives the kind from what is known besides.
func (n *node) settle() *node {
	switch {
	case n.kind != "":
	case len(n.members) > 0:
		n.kind = object
	case n.element != nil:
		n.kind = array
	}
	return n
}

func (n *node) put(name string, child *node) {
	if n.members == nil {
		n.members = map[string]*node{}
	}
	at, known := slices.BinarySearch(n.names, name)
	switch {
	case known:
		n.members[name] = child
	case len(n.names) < maxMembers:
		n.members[name], n.names = child, slices.Insert(n.names, at, name)
	}
}

// merge adds what from expects. Where both disagree about the kind, n stays as it
// is. from is not changed, and n shares nothing with it.
func (n *node) merge(from *node, depth int, left *int) {
	if from == nil || depth > maxDepth || *left <= 0 {
		return
	}
	if n.kind == "" || n.kind == null && from.kind != "" {
		n.kind = from.kind
	}
	if from.kind != "" && from.kind != null && n.kind != from.kind {
		return
	}
	*left--
	if n.form == "" {
		n.form = from.form
	}
	if len(n.accepted) == 0 {
		n.accepted, n.required, n.turns = from.accepted, from.required, from.turns
	}
	n.closed = n.closed || from.closed
	n.absent = n.absent || from.absent && n.kind == "" && n.members == nil && n.element == nil
	for _, name := range from.names {
		child := n.members[name]
		if child == nil {
			if *left <= 0 {
				return
			}
			child = &node{}
			n.put(name, child)
		}
		child.merge(from.members[name], depth+1, left)
	}
	if from.element != nil {
		if n.element == nil {
			n.element = &node{}
			if len(from.accepted) == 0 {
				n.accepted = nil
			}
		}
		n.element.merge(from.element, depth+1, left)
	}
	n.settle()
}

// at returns the node at the end of a path and makes the way to it.
func (n *node) at(path []string) *node {
	for _, name := range path {
		if isIndex(name) {
			if n.element == nil {
				n.element = &node{}
			}
			n.become(array)
			n = n.element
			continue
		}
		n.become(object)
		child := n.members[name]
		if child == nil {
			child = &node{}
			n.put(name, child)
		}
		n = child
	}
	return n
}

// become changes the kind and drops what does not belong to it.
func (n *node) become(kind string) {
	if kind == "" || n.kind == kind {
		return
	}
	n.kind = kind
	if kind != object {
		n.members, n.names = nil, nil
	}
	if kind != array {
		n.element = nil
	}
}

// walk visits the node and all below it, with the paths to them.
func (n *node) walk(path []string, visit func(path []string, n *node)) {
	if n == nil || len(path) > maxDepth {
		return
	}
	visit(path, n)
	for _, name := range n.names {
		n.members[name].walk(append(slices.Clone(path), name), visit)
	}
	n.element.walk(append(slices.Clone(path), "0"), visit)
}

// kindOf translates the names of types of several languages.
func kindOf(name string) string {
	switch name {
	case object, "dict", "dictionary", "record", "map", "model_type", "mapping":
		return object
	case array, "list", "tuple", "sequence", "set":
		return array
	case text, "str", "text":
		return text
	case number, "integer", "int", "float", "bigint", "decimal":
		return number
	case boolean, "bool":
		return boolean
	}
	return ""
}

func isIndex(name string) bool {
	_, err := strconv.ParseUint(name, 10, 31)
	return err == nil || name == "*" || name == "[]"
}

func (n *node) clone() *node {
	if n == nil {
		return nil
	}
	c, left := &node{}, maxNodes
	c.merge(n, 0, &left)
	return c
}
