package payload

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// completeArguments are the arguments with the hostile value, as the schema
// requires them. What the model left out is filled in.
func (p *proposer) completeArguments(s *target, it *proposal, args map[string]any, pointer string, value any) (json.RawMessage, error) {
	base := p.base(s, pointer)
	if attack.Limited(it.Class) || !p.needsMarker(it.Class) {
		return p.keepKnownArguments(s, it.Class, args, pointer, value)
	}
	if otherValueHarms(args, base, pointer) {
		return nil, errors.New("another value does harm, or asks the server to end or to wait")
	}
	minimal, _ := schema.Minimal(s.schema, p.Values.For(s.tool.Name), p.Seed) // the best value found
	all, required := decoded(base), decoded(minimal.JSON)
	for name := range required {
		if known, ok := all[name]; ok {
			required[name] = known
		}
	}
	for _, more := range []map[string]any{nil, required, all} {
		merge(args, more, "", pointer)
		raw := encoded(args)
		if accepts(s, it.Class, raw, pointer, base) {
			return raw, nil
		}
	}
	return nil, errors.New("it does not fit the schema of the tool")
}

// keepKnownArguments sets the other arguments to values that the tool accepted
// before. It is for classes that are judged by the limits of a tool, or by the
// server's fate: with another value the model could lift the limit that it is
// to break, or order the server to stop. The model may choose where the schema
// lists the choices.
func (p *proposer) keepKnownArguments(s *target, class string, args map[string]any, pointer string, value any) (json.RawMessage, error) {
	base := p.base(s, pointer)
	raw, err := schema.Put(base, pointer, value)
	if err != nil {
		return nil, errors.New("its arguments cannot be sent")
	}
	with := raw
	for _, at := range s.places {
		chosen, ok := get(args, at.Pointer)
		if !ok || len(at.Enum) == 0 || at.Pointer == pointer || shutdownWord.MatchString(text(chosen)) {
			continue
		}
		if more, err := schema.Put(with, at.Pointer, chosen); err == nil {
			with = more
		}
	}
	switch {
	case accepts(s, class, with, pointer, base):
		return with, nil
	case accepts(s, class, raw, pointer, base):
		return raw, nil
	}
	return nil, errors.New("it does not fit the schema of the tool")
}

// shutdownWord matches orders to stop: a server that obeys ends without any
// fault.
var shutdownWord = lazyregexp.New(`(?i)(?:^|[^a-z])(?:shut.?down|stop|exit|quit|kill|restart|reboot|terminate|delete|remove|destroy|reset|wipe|purge|sleep|wait)(?:[^a-z]|$)`)

// otherValueHarms says whether another argument, or its name, orders a shutdown
// or does harm itself, and differs from what the tool accepted before.
func otherValueHarms(args map[string]any, base json.RawMessage, pointer string) bool {
	found, known := false, decoded(base)
	leaves(args, "", func(at, said string) {
		value, _ := get(args, at)
		before, ok := get(known, at)
		if under(at, pointer) || under(pointer, at) || ok && text(before) == text(value) {
			return
		}
		found = found || shutdownWord.MatchString(said) || attack.Harms(said)
	})
	return found
}

// accepts says whether the schema accepts the arguments. Where a value of
// another type is the attack, the rest must be valid.
func accepts(s *target, class string, raw json.RawMessage, pointer string, base json.RawMessage) bool {
	if schema.Accepts(s.schema, raw) {
		return true
	}
	ordinary, ok := schema.Get(base, pointer)
	if !ok || !attack.Untyped(class) {
		return false
	}
	with, err := schema.Put(raw, pointer, ordinary)
	return err == nil && schema.Accepts(s.schema, with)
}

// merge adds what is missing in an object, except at one pointer.
func merge(to, from map[string]any, at, but string) {
	for name, value := range from {
		there, ok := to[name]
		if !ok {
			to[name] = value
			continue
		}
		inner, isObject := there.(map[string]any)
		if more, also := value.(map[string]any); isObject && also && join(at, name) != but {
			merge(inner, more, join(at, name), but)
		}
	}
}

// join is a pointer with one more element.
func join(pointer, part string) string {
	return pointer + "/" + mcpsf.PointerPart(part)
}

// object parses arguments within the limits. Some models write them as a
// string.
func object(raw json.RawMessage) (map[string]any, error) {
	var quoted string
	if json.Unmarshal(raw, &quoted) == nil {
		raw = json.RawMessage(quoted)
	}
	if len(raw) > maxArguments || document.Depth(raw) > maxDepth {
		return nil, errors.New("its arguments are too large")
	}
	args := decoded(raw)
	if args == nil {
		return nil, errors.New("its arguments are no object")
	}
	count := 0
	leaves(args, "", func(string, string) { count++ })
	if count > maxLeaves {
		return nil, errors.New("its arguments are too large")
	}
	return args, nil
}

// decoded is an object, nil if it is none. Numbers stay as written.
func decoded(raw json.RawMessage) map[string]any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var o map[string]any
	if d.Decode(&o) != nil {
		return nil
	}
	return o
}

// encoded is a value as JSON. The value was decoded from JSON, so this cannot
// fail.
func encoded(value any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// text is a value as it is reported.
func text(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	return string(encoded(value))
}

// get is the value at a pointer.
func get(args map[string]any, pointer string) (any, bool) {
	var value any = args
	for _, part := range strings.Split(pointer, "/")[1:] {
		part = mcpsf.PointerName(part)
		switch v := value.(type) {
		case map[string]any:
			inner, ok := v[part]
			if !ok {
				return nil, false
			}
			value = inner
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// leaves visits the texts in a value, and the keys of objects, which may be
// hostile, too.
func leaves(value any, pointer string, f func(pointer, text string)) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			f(join(pointer, name), name)
			leaves(v[name], join(pointer, name), f)
		}
	case []any:
		for i, e := range v {
			leaves(e, join(pointer, strconv.Itoa(i)), f)
		}
	case string:
		f(pointer, v)
	case json.Number:
		f(pointer, v.String())
	}
}
