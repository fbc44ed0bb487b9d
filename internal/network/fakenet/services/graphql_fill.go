package services

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// filler makes up a value for every requested field.
type filler struct {
	s         *Services
	d         *rand.Rand
	doc       *graphDoc
	variables map[string]json.RawMessage
	left      int // how many more values may be made
}

// object fills an object. kind is its type unless a fragment names another.
func (f *filler) object(fields []*graphField, kind string, depth int) object {
	o := object{}
	f.into(o, fields, kind, depth)
	return o
}

func (f *filler) into(o object, fields []*graphField, kind string, depth int) {
	kind = f.kindOf(fields, kind)
	for _, field := range fields {
		if f.left--; f.left < 0 || depth > maxGraphDepth {
			return
		}
		switch {
		case field.spread != "":
			if part := f.doc.fragments[field.spread]; part != nil {
				f.into(o, part.fields, kind, depth+1)
			}
		case field.inline:
			f.into(o, field.fields, kind, depth+1)
		case field.name == "__typename":
			o[field.key] = kind
		case field.name == "__schema":
			f.left -= schemaCost
			o[field.key] = f.project(field.fields, graphSchema(), depth)
		case field.name == "__type":
			f.left -= schemaCost
			o[field.key] = f.project(field.fields, graphType(f.argument(field, "name")), depth)
		default:
			o[field.key] = f.value(field, o[field.key], kind, depth)
		}
	}
}

// kindOf is the type of the first fragment, because only one applies.
func (f *filler) kindOf(fields []*graphField, kind string) string {
	for _, field := range fields[:min(len(fields), 100)] {
		on := field.on
		if part := f.doc.fragments[field.spread]; part != nil {
			on = part.on
		}
		if isGraphName(on) {
			return on
		}
	}
	return kind
}

// value makes the value of a field. A field that is requested twice has the
// subfields of both.
func (f *filler) value(field *graphField, before any, parent string, depth int) any {
	if len(field.fields) == 0 {
		if before != nil {
			return before
		}
		return f.scalar(field.name, parent)
	}
	kind := typeName(field.name)
	switch {
	case strings.HasSuffix(strings.ToLower(field.name), "errors"):
		return []object{}
	case !isList(field):
		o, ok := before.(object)
		if !ok {
			o = object{}
		}
		f.into(o, field.fields, kind, depth+1)
		return o
	}
	list, ok := before.([]object)
	if !ok {
		list = []object{{}}
		if depth < 3 {
			list = append(list, object{})
		}
	}
	for _, o := range list {
		f.into(o, field.fields, kind, depth+1)
	}
	return list
}

// isList decides by the field's name, unless the field is a page of a list.
func isList(field *graphField) bool {
	pages := []string{"nodes", "edges", "pageInfo", "totalCount", "items", "results", "aggregate"}
	if slices.ContainsFunc(field.fields, func(f *graphField) bool { return slices.Contains(pages, f.name) }) {
		return false
	}
	name := strings.ToLower(field.name)
	return isPlural(name) || strings.HasSuffix(name, "list")
}

// typeName makes a type name from a field name: "pullRequests" becomes
// PullRequest.
func typeName(field string) string {
	name := strings.TrimLeft(field, "_")
	switch {
	case strings.HasSuffix(name, "ies"):
		name = strings.TrimSuffix(name, "ies") + "y"
	case isPlural(strings.ToLower(name)):
		name = strings.TrimSuffix(name, "s")
	}
	first, size := utf8.DecodeRuneInString(name)
	if size == 0 {
		return "Node"
	}
	return string(unicode.ToUpper(first)) + name[size:]
}

var (
	isFlag   = lazyregexp.New(`^(is|has|can|was|did|should|viewer(Can|Has|Is))[A-Z_]|^(ok|success|succeeded|enabled|active|archived|deleted|private|locked|closed|merged|draft|starred|default)$|^(delete|remove|archive)[A-Z]`)
	isNumber = lazyregexp.New(`(?i)(count|total|number|size|length|limit|offset|index|position|priority|points|score|age|year|month|day|hour|minute|second|width|height|remaining|cost|quantity|version_?id|duration|estimate|progress)$|^(n|x|y|page|first|last)$`)
	isAmount = lazyregexp.New(`(?i)(price|amount|rate|percent(age)?|ratio|latitude|longitude|lat|lng|lon|temperature|balance)$`)
	isMoment = lazyregexp.New(`(At|On|Date|_at|_on|_date)$|(?i)^(date|timestamp|created|updated|modified)$`)
)

// scalar makes a value that fits the field's name.
func (f *filler) scalar(name, parent string) any {
	lower := strings.ToLower(name)
	switch {
	case lower == "id" || lower == "cursor" || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "ID"):
		return letters(f.d, 16, alphabet)
	case strings.HasPrefix(name, "hasNext"), strings.HasPrefix(name, "hasPrev"), strings.HasPrefix(name, "has_next"):
		return false
	case lower == "endcursor" || lower == "startcursor" || lower == "deletedat" || lower == "archivedat":
		return nil
	case isFlag.MatchString(name):
		return !slices.Contains([]string{"deleted", "archived", "locked", "private", "draft"}, lower) && !strings.HasPrefix(name, "is")
	case isMoment.MatchString(name):
		return f.s.moment(f.d)
	case isAmount.MatchString(name):
		return float64(f.d.IntN(10000)) / 100
	case isNumber.MatchString(name):
		return f.d.IntN(40) + 1
	case isPlural(lower):
		return []string{}
	}
	return f.text(lower, parent)
}

func (f *filler) text(name, parent string) string {
	thing := pick(f.d, "Aurora", "Meadow", "Cobalt", "Juniper", "Harbor", "Lantern")
	switch {
	case strings.Contains(name, "email"):
		return "johan.lindqvist@example.com"
	case hasAny(name, "url", "uri", "link", "href", "website"):
		return "https://www.example.com/" + strings.ToLower(thing)
	case hasAny(name, "login", "username", "handle", "slug", "key"):
		return strings.ToLower(thing)
	case hasAny(name, "description", "body", "text", "summary", "content", "bio", "message"):
		return pick(f.d, "Updated last week.", "No description provided.", "Part of the spring release.")
	case name == "status" || name == "state":
		return pick(f.d, "OPEN", "ACTIVE")
	case name == "schema":
		return graphSDL()
	case hasAny(name, "token", "hash", "sha", "oid", "uuid"):
		return letters(f.d, 40, hexDigits)
	case parent == "User" && name == "name":
		return "Johan Lindqvist"
	}
	return thing
}

// argument is the value of a field's argument if it is a string.
func (f *filler) argument(field *graphField, name string) string {
	p := &graphParser{text: field.args}
	for token := p.next(); token != ""; token = p.next() {
		if token != name || p.next() != ":" {
			continue
		}
		value := p.next()
		raw := json.RawMessage(value)
		if value == "$" {
			raw = f.variables[p.next()]
		}
		var text string
		_ = json.Unmarshal(raw, &text) // or none
		return text
	}
	return ""
}
