package refusal

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// unquoted removes the quotes around a text.
func unquoted(text string) string {
	return strings.Trim(strings.TrimSpace(text), "\"'`“”‘’")
}

var (
	// listEnd ends a list of accepted values.
	listEnd = lazyregexp.New(`(?i)(?:,|;|\.)? ?\b(?:received|got|but|instead|given|found|when|if|input was|was)\b.*$|\. .*$|[.;]?\s*…$|\(got.*$`)
	// between separates the values of a list that has no quotes.
	separators = lazyregexp.New(`\s*(?:,|\||\n)\s*(?:or |and )?|\s+(?:or|and)\s+|\s/\s`)
	slashed    = lazyregexp.New(`^[\w-]+(?:/[\w-]+)+$`)
	accepted   = lazyregexp.New(`^[^\s"'\[\]{}]+(?: [^\s"'\[\]{}]+){0,2}$`)
	// blankIn is a place in a form that is to be filled in: task:{id}.
	blankIn  = lazyregexp.New(`\{[\w .-]{1,40}\}|<[\w .-]{1,40}>`)
	absolute = lazyregexp.New(`(?:^|[\s"'` + "`" + `(\[,=:])(/(?:[\w@.+~-]+/?)+)`)
)

// values reads a list of accepted values: ['a', 'b'], "a" | "b", a, b or c.
func values(text string) []string {
	text = strings.TrimSpace(text)
	if end := strings.IndexAny(text, "])}"); end > 0 && strings.ContainsAny(text[:1], "[({") {
		return inBrackets(text[1:end])
	}
	if quoted := quotedList(text); len(quoted) > 0 {
		if slices.ContainsFunc(quoted, blankIn.MatchString) {
			return nil // forms, not values
		}
		return quoted
	}
	text = strings.TrimRight(listEnd.ReplaceAllString(parenthesis.ReplaceAllString(text, ""), ""), " .,;:)")
	parts := separators.Split(text, maxAccepted)
	if len(parts) == 1 && slashed.MatchString(text) {
		parts = strings.Split(text, "/")
	}
	return plain(parts)
}

// inBrackets reads what stands between brackets; Go separates it by blanks.
func inBrackets(text string) []string {
	if quoted := quotedList(text); len(quoted) > 0 {
		return quoted
	}
	if !strings.ContainsAny(text, ",|") {
		return plain(strings.Fields(text))
	}
	return plain(separators.Split(text, maxAccepted))
}

// quotedList returns the quoted values at the beginning of a text.
func quotedList(text string) []string {
	var out []string
	end := 0
	for _, at := range quotedText.FindAllStringIndex(text, maxAccepted) {
		if gap := text[end:at[0]]; len(gap) > 12 && len(out) > 0 || listEnd.MatchString(gap) || len(out) == 0 && len(gap) > 24 {
			break
		}
		if v := unquoted(text[at[0]:at[1]]); v != "" {
			out = append(out, v)
		}
		end = at[1]
	}
	return out
}

// plain cleans the values of a list without quotes. It ends at what is prose.
func plain(parts []string) []string {
	var out []string
	for _, p := range parts {
		p = strings.TrimPrefix(strings.TrimPrefix(unquoted(strings.Trim(p, " .;:•")), "or "), "and ")
		if p == "" {
			continue
		}
		if !accepted.MatchString(p) || len(p) > maxName {
			break
		}
		out = append(out, p)
	}
	return out
}

// absolutePaths returns the absolute paths in a text.
func absolutePaths(text string) []string {
	var out []string
	for _, m := range absolute.FindAllStringSubmatch(text, maxAccepted) {
		if p := strings.TrimRight(m[1], "./"); len(p) > 1 && len(p) <= maxValue {
			out = append(out, p)
		}
	}
	return out
}

// absent reports whether a text says that there was no value at all.
func absent(text string) bool {
	return nothing.MatchString(text)
}

var nothing = lazyregexp.New(`(?i)(?:received|got|found|input_type=|but was) (?:undefined|null|none|nonetype|nil|nothing)\b|\breceived undefined`)

// TypeOf translates the name of a type in any language into that of JSON Schema,
// "" if it is none.
func TypeOf(name string) string {
	name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "a ")
	switch strings.TrimSuffix(name, "s") {
	case "string", "str", "text":
		return "string"
	case "integer", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
		"i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128", "usize", "isize", "long":
		return "integer"
	case "number", "float", "double", "numeric", "decimal", "f32", "f64", "float32", "float64":
		return "number"
	case "boolean", "bool":
		return "boolean"
	case "array", "list", "sequence", "tuple":
		return "array"
	case "object", "dictionary", "dict", "map", "mapping", "struct", "record":
		return "object"
	}
	return ""
}

// allTypes reports whether a list of accepted values is one of types.
func allTypes(list []string) (string, bool) {
	for _, v := range list {
		if TypeOf(v) == "" && v != "null" {
			return "", false
		}
	}
	return TypeOf(list[0]), true
}

// formatOf returns the usual name of a format.
func formatOf(name string) string {
	name = strings.ToLower(name)
	switch {
	case name == "guid":
		return "uuid"
	case name == "uri":
		return "url"
	case strings.HasPrefix(name, "e-mail"), strings.HasPrefix(name, "email"):
		return "email"
	case name == "yyyy-mm-dd", strings.HasPrefix(name, "iso") && strings.HasSuffix(name, "date"):
		return "date"
	case strings.HasSuffix(name, "duration"):
		return "duration"
	case strings.HasPrefix(name, "iso"), name == "timestamp", name == "datetime":
		return "date-time"
	case name == "geojson":
		return "GeoJSON"
	case name == "json list", name == "json sequence":
		return "JSON array"
	case strings.HasPrefix(name, "yaml "):
		return "yaml list"
	case strings.HasPrefix(name, "json"):
		return "JSON" + strings.TrimPrefix(name, "json")
	case strings.HasPrefix(name, "cron"):
		return "cron"
	case statementWord.MatchString(name):
		return "sql " + strings.Fields(name)[0]
	case strings.HasPrefix(name, "ip"):
		return strings.TrimSuffix(strings.Replace(name, "ip address", "ipv4", 1), " address")
	case name == "hex":
		return "hexadecimal"
	case name == "regular expression":
		return "regex"
	case strings.HasPrefix(name, "semantic"):
		return "semver"
	case strings.HasPrefix(name, "domain"):
		return "hostname"
	case name == "alphanumeric":
		return "identifier"
	case strings.HasSuffix(name, "color"), strings.HasSuffix(name, "colour"):
		return "color"
	case strings.HasPrefix(name, "phone"):
		return "phone"
	case strings.HasPrefix(name, "time") && strings.HasSuffix(name, "zone"):
		return "timezone"
	}
	return name
}

// unitOf tells what a bound counts: the characters of a string or the elements of
// an array.
func unitOf(rest string) string {
	rest = strings.TrimLeft(strings.ToLower(rest), " -")
	for prefix, typ := range map[string]string{"char": "string", "digit": "string", "item": "array", "element": "array", "entr": "array"} {
		if strings.HasPrefix(rest, prefix) {
			return typ
		}
	}
	return ""
}

// readMember returns the path of a member that a program failed to read. A method
// tells the type of the thing instead, whose name is then not known.
func readMember(expression string, w *mcpsf.Wish) []string {
	path := splitPath(strings.NewReplacer("?", "", "()", "").Replace(expression))
	if len(path) == 0 {
		return nil
	}
	last := path[len(path)-1]
	if typ := methodOf(last); typ != "" && w.Type == "" {
		w.Type, path = typ, path[:len(path)-1]
	} else if w.Kind == mcpsf.WishType && w.Type == "" {
		w.Type = "object"
	}
	return path[max(0, len(path)-1):]
}

// methodOf returns the type that has a method of this name.
func methodOf(name string) string {
	switch name {
	case "map", "forEach", "filter", "reduce", "find", "some", "every", "flatMap", "push", "sort", "slice", "join", "length", "append", "extend", "each", "findIndex", "entries":
		return "array"
	case "items", "keys", "get", "values", "hasOwnProperty":
		return "object"
	case "toLowerCase", "toUpperCase", "split", "trim", "startsWith", "endsWith", "replace", "match", "substring", "charAt",
		"lower", "upper", "strip", "startswith", "endswith", "encode", "toString", "localeCompare", "padStart":
		return "string"
	}
	return ""
}
