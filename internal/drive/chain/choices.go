package chain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// Bounds of the values that one result gives for a parameter.
// no gap: what is beyond is not tried, and the tool is called with another value all the same
const (
	maxChoices = 6
	// maxInside is how deep members are looked for.
	maxInside = 4
)

// Choices returns the values that the last result of a tool gives for a parameter of
// another one, the likeliest first: the members with its name, what identifies the
// thing, the result as a whole. Those that may name a place that is not ours are left
// out.
func (m *Memory) Choices(tool *mcpsf.Tool, name, from string, current any) []any {
	o, ok := m.outcome(from)
	list := parameters(tool)
	i := slices.IndexFunc(list, func(p parameter) bool { return p.name == name })
	if !ok || i < 0 {
		return nil
	}
	var out []any
	for _, value := range o.values(list[i]) {
		value, ok := ofType(value, cmp.Or(list[i].typ, "string"))
		if ok && m.allowed(value, current) && len(out) < maxChoices && !slices.ContainsFunc(out, func(old any) bool { return same(old, value) }) {
			out = append(out, value)
		}
	}
	return out
}

// same reports whether two values are equal. Documents are compared by what is said of
// them.
func same(a, b any) bool {
	if compound(a) || compound(b) {
		return compound(a) && compound(b) && beginning(a) == beginning(b)
	}
	return a == b
}

// membersInside lists the values for a parameter that are deeper in a document: the members
// with its name, then the ids of things that are called like it. Of a list only the
// first element counts.
func membersInside(document any, parameter string) []any {
	f := &finder{parameter: parameter, thing: lastWord(parameter)}
	f.look(document, "", 0)
	return append(f.named, f.ids...)
}

type finder struct {
	parameter, thing string
	named, ids       []any
	nodes            int
}

func (f *finder) look(node any, key string, depth int) {
	if f.nodes++; depth > maxInside || f.nodes > maxNodes {
		return
	}
	switch v := node.(type) {
	case []any:
		if len(v) > 0 {
			f.look(v[0], key, depth+1)
		}
	case map[string]any:
		if value, there := member(v, f.parameter); there {
			f.named = append(f.named, value)
		}
		f.ids = append(f.ids, f.idsOf(v, key, depth)...)
		for _, name := range sortedNames(v) {
			if compound(v[name]) {
				f.look(v[name], name, depth+1)
			}
		}
	}
}

// idsOf returns what identifies an object that is called like the parameter, or that
// stands alone.
func (f *finder) idsOf(members map[string]any, key string, depth int) []any {
	if f.thing == "" {
		return nil
	}
	var out []any
	for _, name := range []string{f.thing + "_id", "id", "key", "number", "name"} {
		about := depth == 0 || lastWord(key) == f.thing || name == f.thing+"_id"
		if value, there := member(members, name); about && there && !compound(value) && (depth > 0 || name == f.thing+"_id" || name == "id") {
			return append(out, value)
		}
	}
	return out
}

// lastWord returns the thing that a name is about, "" if that is an attribute.
func lastWord(name string) string {
	words := meaning.Words(name)
	if len(words) == 0 {
		return ""
	}
	return meaning.Singular(words[len(words)-1])
}

// wantsAll reports whether a description says that a parameter takes a document and not
// the name of one.
func wantsAll(about string) bool {
	said := meaning.Words(about)
	return slices.ContainsFunc(said, func(w string) bool {
		return strings.HasPrefix(w, "document") || slices.Contains([]string{"json", "whole", "entire", "full", "complete", "output", "content", "body", "payload", "text"}, w)
	})
}
