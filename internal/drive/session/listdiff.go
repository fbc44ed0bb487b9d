package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// entries returns the listed entries by name. The second of a name is "name (2)".
func entries(s *mcpsf.Session, kind string) map[string]json.RawMessage {
	list, count := map[string]json.RawMessage{}, map[string]int{}
	add := func(name string, raw json.RawMessage) {
		if count[name]++; count[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, count[name])
		}
		list[name] = raw
	}
	switch kind {
	case "tool":
		for _, t := range s.Tools {
			add(t.Name, t.Raw)
		}
	case "resource":
		for _, r := range s.Resources {
			add(r.URI, r.Raw)
		}
	case "prompt":
		for _, p := range s.Prompts {
			add(p.Name, p.Raw)
		}
	}
	return list
}

// fields compares two objects field by field, in canonical form: key order and
// white space do not matter.
func fields(a, b json.RawMessage, differ func(field, from, to string)) {
	if bytes.Equal(a, b) {
		return
	}
	var one, two map[string]json.RawMessage
	if json.Unmarshal(a, &one) != nil || json.Unmarshal(b, &two) != nil {
		return
	}
	keys := maps.Clone(one)
	maps.Copy(keys, two)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		from, to := canonical(one[key]), canonical(two[key])
		if from == to || shuffled(from, to) {
			continue
		}
		name, _ := jsonrpc.Clip(key, maxName)
		if strings.HasSuffix(key, "Schema") && unchosen(one[key]) == unchosen(two[key]) {
			name = mcpsf.FieldChoices
		}
		from, to = differing(from, to)
		differ(name, from, to)
	}
}

// unchosen returns a schema without its enum values: some servers list the
// existing files or tables there.
func unchosen(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	out, err := jsonrpc.Marshal(withoutChoices(v))
	if err != nil {
		return string(raw)
	}
	return string(out)
}

func withoutChoices(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = withoutChoices(v[i])
		}
	case map[string]any:
		for key, value := range v {
			if list, ok := value.([]any); ok && key == "enum" && !slices.ContainsFunc(list, notAWord) {
				v[key] = nil
				continue
			}
			v[key] = withoutChoices(value)
		}
	}
	return v
}

func notAWord(v any) bool {
	s, ok := v.(string)
	return !ok || !single.MatchString(s)
}

// single matches one word of a list.
var single = lazyregexp.New(`^[A-Za-z0-9_.*-]{1,64}$`)

// shuffled reports whether two texts differ only in the order of single words
// between commas: some servers print sets, whose order changes with every
// process.
func shuffled(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	items := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '"' || r == '[' || r == ']' })
	}
	one, two := items(a), items(b)
	if len(one) != len(two) {
		return false
	}
	for i := range one {
		if one[i] != two[i] && !(single.MatchString(one[i]) && single.MatchString(two[i])) {
			return false
		}
	}
	slices.Sort(one)
	slices.Sort(two)
	return slices.Equal(one, two)
}

func canonical(raw json.RawMessage) string {
	var v any
	if raw == nil || json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	if s, ok := v.(string); ok {
		return s
	}
	out, err := jsonrpc.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(out)
}

// dates matches the parts of a text that change because it contains the date.
var dates = lazyregexp.New(`(?i)[0-9]+|\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|` +
	`\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b`)

func undated(s string) string { return dates.ReplaceAllString(s, "0") }

// differing cuts two texts to the parts that differ.
func differing(a, b string) (string, string) {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	at = max(0, at-lead)
	a, _ = jsonrpc.Clip(a[at:], maxShown)
	b, _ = jsonrpc.Clip(b[at:], maxShown)
	return a, b
}

// duplicates reports tools that one listing defines twice and differently: the
// user is shown one of them, and the client may call the other.
func (c *changes) duplicates(s *mcpsf.Session) {
	first := map[string]int{}
	for i := range s.Tools {
		name := s.Tools[i].Name
		j, again := first[name]
		if !again {
			first[name] = i
			continue
		}
		fields(s.Tools[j].Raw, s.Tools[i].Raw, func(field, from, to string) {
			if field == mcpsf.FieldChoices {
				field = "inputSchema"
			}
			c.lists.requests.ledger.Note("listed a tool twice with different definitions")
			c.tap.Changed(c.lists.requests.ledger.lastAsked(), mcpsf.ChangeDetail{
				Of: "tool", Name: name, Field: field, Before: from, After: to, Since: mcpsf.SinceListed,
			})
		})
	}
}

// useAdded calls the tools that the server listed only later. They are not part
// of what it offered first, which other sessions are compared with.
func (e *enumeration) useAdded(ctx context.Context) error {
	known := map[string]bool{}
	for i := range e.out.Tools {
		known[definition(&e.out.Tools[i])] = true
	}
	added := &mcpsf.Session{Capabilities: e.out.Capabilities}
	for _, tool := range e.changes.latest.Tools {
		if !known[definition(&tool)] {
			added.Tools = append(added.Tools, tool)
		}
	}
	caller := newToolCaller(e.requests, added, e.waiter)
	for i := range added.Tools {
		if err := caller.call(ctx, i, 0); err != nil {
			return err
		}
	}
	return nil
}
