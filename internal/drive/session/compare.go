package session

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

const (
	// maxChanges bounds how many are told of one comparison.
	maxChanges = 50
	// maxShown is how much of each side of a change is told, lead how much of
	// what stands in front of the difference.
	maxShown, lead = 300, 40
)

// compare tells what now says differently than before. The caller is the
// driver's goroutine.
func (s *session) compare(before, now *mcpsf.Session, since mcpsf.ChangeCause) {
	before, now = s.heard(before, now)
	told := 0
	tell := func(d mcpsf.ChangeDetail) {
		if told++; told <= maxChanges {
			d.Since, d.Announced = since, s.announced(d.Of)
			s.tap.changed(s.lastCall(), d)
		}
	}
	if before.Instructions != now.Instructions && !(since == mcpsf.SinceLater && undated(before.Instructions) == undated(now.Instructions)) {
		from, to := differing(before.Instructions, now.Instructions)
		tell(mcpsf.ChangeDetail{Of: "instructions", Before: from, After: to})
	}
	for _, kind := range []string{"tool", "resource", "prompt"} {
		old, fresh := entries(before, kind), entries(now, kind)
		for _, name := range slices.Sorted(maps.Keys(old)) {
			if other, ok := fresh[name]; ok {
				fields(old[name], other, func(field, from, to string) {
					if since == mcpsf.SinceLater && undated(from) == undated(to) {
						return // it tells the date
					}
					tell(mcpsf.ChangeDetail{Of: kind, Name: name, Field: field, Before: from, After: to})
				})
			} else {
				text, _ := clip(string(old[name]), maxShown)
				tell(mcpsf.ChangeDetail{Of: kind, Name: name, Before: text})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(fresh)) {
			if _, ok := old[name]; !ok {
				text, _ := clip(string(fresh[name]), maxShown)
				tell(mcpsf.ChangeDetail{Of: kind, Name: name, After: text})
			}
		}
	}
	s.lookedAt(now)
}

// heard is what the server said and says. What it did not get round to saying,
// now or before, it said like the other time.
func (s *session) heard(before, now *mcpsf.Session) (*mcpsf.Session, *mcpsf.Session) {
	was := mcpsf.Session{Instructions: before.Instructions, Tools: before.Tools, Resources: before.Resources, Prompts: before.Prompts}
	is := mcpsf.Session{Instructions: now.Instructions, Tools: now.Tools, Resources: now.Resources, Prompts: now.Prompts}
	missed := s.missed
	if before != &s.latest {
		missed = missedIn(before)
	}
	if s.silent["tools"] {
		is.Tools = was.Tools
	} else if missed["tools"] {
		was.Tools = is.Tools
	}
	if s.silent["resources"] {
		is.Resources = was.Resources
	} else if missed["resources"] {
		was.Resources = is.Resources
	}
	if s.silent["prompts"] {
		is.Prompts = was.Prompts
	} else if missed["prompts"] {
		was.Prompts = is.Prompts
	}
	return &was, &is
}

// missedIn are the lists that a session did not get. Tools are asked for first,
// and always: one that has no answer to that got no further. What a server does
// not declare is not asked for, and that is an answer, too.
func missedIn(s *mcpsf.Session) map[string]bool {
	answered, asked := map[string]bool{}, map[string]bool{}
	for i := range s.Calls {
		c := &s.Calls[i]
		if key, list := strings.CutSuffix(c.Method, "/list"); list {
			asked[key] = true
			answered[key] = answered[key] || c.Status != mcpsf.CallTimeout && c.Status != mcpsf.CallCrashed
		}
	}
	missed := map[string]bool{}
	for _, key := range []string{"tools", "resources", "prompts"} {
		missed[key] = !answered["tools"] || asked[key] && !answered[key]
	}
	return missed
}

// unanswered tells whether the last request got no answer at all.
func (s *session) unanswered() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.out.Calls)
	return n > 0 && (s.out.Calls[n-1].Status == mcpsf.CallTimeout || s.out.Calls[n-1].Status == mcpsf.CallCrashed)
}

// lookedAt remembers what the server says of itself; what it had announced is
// in there.
func (s *session) lookedAt(now *mcpsf.Session) {
	s.missed = maps.Clone(s.silent)
	s.latest = mcpsf.Session{Instructions: now.Instructions, Tools: now.Tools, Resources: now.Resources, Prompts: now.Prompts}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.news)
}

// entries are what was listed, by name. Of two with one name the last counts.
func entries(s *mcpsf.Session, kind string) map[string]json.RawMessage {
	list := map[string]json.RawMessage{}
	switch kind {
	case "tool":
		for _, t := range s.Tools {
			list[t.Name] = t.Raw
		}
	case "resource":
		for _, r := range s.Resources {
			list[r.URI] = r.Raw
		}
	case "prompt":
		for _, p := range s.Prompts {
			list[p.Name] = p.Raw
		}
	}
	return list
}

// fields compares two objects field by field, in canonical form: the order of
// keys and white space mean nothing.
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
		name, _ := clip(key, maxName)
		if strings.HasSuffix(key, "Schema") && unchosen(one[key]) == unchosen(two[key]) {
			name = mcpsf.FieldChoices
		}
		from, to = differing(from, to)
		differ(name, from, to)
	}
}

// unchosen is a schema without the words that can be chosen from: servers list
// the files or tables there are.
func unchosen(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	out, err := marshal(withoutChoices(v))
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
var single = regexp.MustCompile(`^[A-Za-z0-9_.*-]{1,64}$`)

// shuffled reports whether two texts differ in the order of single words
// between commas only: sets have another order in every process.
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
	out, err := marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(out)
}

// dates are what differs in a text that tells the date.
var dates = regexp.MustCompile(`(?i)[0-9]+|\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|` +
	`\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b`)

func undated(s string) string { return dates.ReplaceAllString(s, "0") }

// differing cuts two texts to where they begin to differ.
func differing(a, b string) (string, string) {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	at = max(0, at-lead)
	a, _ = clip(a[at:], maxShown)
	b, _ = clip(b[at:], maxShown)
	return a, b
}
