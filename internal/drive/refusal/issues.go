package refusal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxLists bounds how many lists in a text are read as lists of issues.
// gap: tools-failed
const maxLists = 4

// issues reads the lists of issues that libraries write as JSON. It reads each as
// far as the text goes: error messages are cut.
func (r *reader) issues(text string) {
	for at, n := 0, 0; n < maxLists && len(r.wishes) == 0; n++ {
		next := strings.IndexByte(text[at:], '[')
		if next < 0 {
			return
		}
		at += next + 1
		d := json.NewDecoder(strings.NewReader(text[at-1:]))
		d.UseNumber()
		if _, err := d.Token(); err != nil {
			return
		}
		for i := 0; i < maxWishes && d.More(); i++ {
			var one map[string]any
			if d.Decode(&one) != nil {
				break
			}
			r.issue(one, nil, 0)
		}
	}
}

// issue reads one issue of zod, ajv or pydantic. Paths of nested issues may begin
// at base.
func (r *reader) issue(one map[string]any, base []string, depth int) {
	switch {
	case one["code"] != nil:
		r.zod(one, append(slices.Clip(base), names(one["path"])...), depth)
	case one["keyword"] != nil:
		r.ajv(one)
	case one["loc"] != nil:
		path := names(one["loc"])
		if len(path) > 1 && path[0] == "body" {
			path = path[1:]
		}
		r.clause(clause{path: path, text: text(one["msg"])})
	}
}

// zod reads an issue of zod 3 or 4.
func (r *reader) zod(one map[string]any, path []string, depth int) {
	message := text(one["message"])
	w := mcpsf.Wish{Path: path}
	switch code := text(one["code"]); code {
	case "invalid_type":
		w.Kind, w.Type = mcpsf.WishType, TypeOf(text(one["expected"]))
		if w.Type == "" {
			w.Accepted = quotedList(text(one["expected"]))
		}
		if one["received"] == "undefined" || absent(message) || message == "Required" {
			w.Kind = mcpsf.WishMissing
		}
		if len(path) == 0 && w.Kind == mcpsf.WishType {
			w.Got = receivedType(one, message)
		}
		if text(one["expected"]) == "date" { // made of a text
			w.Kind, w.Type, w.Accepted = mcpsf.WishFormat, "date-time", nil
		}
	case "invalid_enum_value", "invalid_value", "invalid_union_discriminator":
		w.Kind, w.Accepted, w.Value = mcpsf.WishOneOf, append(texts(one["options"]), texts(one["values"])...), text(one["received"])
	case "invalid_literal":
		w.Kind, w.Accepted = mcpsf.WishOneOf, []string{text(one["expected"])}
	case "unrecognized_keys":
		for _, key := range texts(one["keys"]) {
			r.add(mcpsf.Wish{Kind: mcpsf.WishUnexpected, Path: append(slices.Clip(path), key)})
		}
		return
	case "too_small", "too_big":
		zodBound(&w, one, code)
	case "invalid_string", "invalid_format":
		zodFormat(&w, one)
	case "invalid_date":
		w.Kind, w.Type = mcpsf.WishFormat, "date"
	case "invalid_union":
		r.union(one, path, depth)
		return
	default:
		r.clause(clause{path: path, text: message})
		return
	}
	r.add(w)
}

// receivedType is the type of the refused value: of an issue without a path that is all
// that says which value it is.
func receivedType(one map[string]any, message string) string {
	if m := received.FindStringSubmatch(message); m != nil {
		return TypeOf(cmp.Or(text(one["received"]), m[1]))
	}
	return TypeOf(text(one["received"]))
}

// received matches the type in the message of zod 4.
var received = lazyregexp.New(`(?i), received (\w{1,20})$`)

// union reads the first alternative of a union that says anything.
func (r *reader) union(one map[string]any, path []string, depth int) {
	before := len(r.wishes)
	for _, alternative := range append(list(one["unionErrors"]), list(one["errors"])...) {
		inner, base := list(alternative), path
		if o, ok := alternative.(map[string]any); ok { // zod 3 repeats the whole path
			inner, base = list(o["issues"]), nil
		}
		for _, i := range inner {
			if o, ok := i.(map[string]any); ok && depth < maxDepth {
				r.issue(o, base, depth+1)
			}
		}
		if len(r.wishes) > before {
			return
		}
	}
	if options := texts(one["options"]); len(options) > 0 {
		r.add(mcpsf.Wish{Kind: mcpsf.WishOneOf, Path: path, Accepted: options})
	}
}

func zodBound(w *mcpsf.Wish, one map[string]any, code string) {
	w.Type = TypeOf(text(one["type"]) + text(one["origin"]))
	step := 0.0
	if one["inclusive"] == false {
		step = 1
	}
	if n, ok := number(text(one["minimum"])); ok && code == "too_small" {
		n += step
		w.Kind, w.Least = mcpsf.WishMore, &n
	} else if n, ok := number(text(one["maximum"])); ok {
		n -= step
		w.Kind, w.Most = mcpsf.WishLess, &n
	}
}

func zodFormat(w *mcpsf.Wish, one map[string]any) {
	w.Kind, w.Type = mcpsf.WishFormat, formatOf(text(one["validation"])+text(one["format"]))
	parts, _ := one["validation"].(map[string]any)
	for _, p := range []struct{ format, old, now string }{
		{mcpsf.FormatPrefix, "startsWith", "prefix"}, {mcpsf.FormatSuffix, "endsWith", "suffix"}, {mcpsf.FormatContains, "includes", "includes"},
	} {
		if part := text(parts[p.old]) + text(one[p.now]); part != "" {
			w.Type, w.Accepted = p.format, []string{part}
		}
	}
	if pattern := text(one["pattern"]); w.Type == "regex" {
		w.Type, w.Accepted = mcpsf.FormatPattern, nil
		if pattern != "" {
			w.Accepted = []string{strings.Trim(pattern, "/")}
		}
	}
}

// ajv reads an error object of ajv.
func (r *reader) ajv(one map[string]any) {
	path := splitPath(text(one["instancePath"]) + text(one["dataPath"]))
	params, _ := one["params"].(map[string]any)
	w := mcpsf.Wish{Path: path}
	switch text(one["keyword"]) {
	case "required":
		w.Kind, w.Path = mcpsf.WishMissing, append(w.Path, text(params["missingProperty"]))
	case "additionalProperties":
		w.Kind, w.Path = mcpsf.WishUnexpected, append(w.Path, text(params["additionalProperty"]))
	case "enum":
		w.Kind, w.Accepted = mcpsf.WishOneOf, texts(params["allowedValues"])
	case "const":
		w.Kind, w.Accepted = mcpsf.WishOneOf, []string{text(params["allowedValue"])}
	default:
		r.clause(clause{path: path, text: text(one["message"])})
		return
	}
	r.add(w)
}

func list(v any) []any {
	l, _ := v.([]any)
	return l[:min(len(l), maxAccepted)]
}

// text returns a scalar as text.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v[:min(len(v), maxText)]
	case json.Number, bool:
		return fmt.Sprint(v)
	}
	return ""
}

func texts(v any) []string {
	var out []string
	for _, e := range list(v) {
		if t := text(e); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// names returns a path of members and indices, without the names that every call
// has.
func names(v any) []string {
	out := texts(v)
	for len(out) > 1 && (out[0] == "params" || out[0] == "arguments") {
		out = out[1:]
	}
	return out
}
