package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcpsf/mcpsf"
)

// Bounds of what a server can make us list.
const (
	maxPages   = 1000
	maxEntries = 10_000
	maxCursor  = 64 << 10
)

// Bounds of what a report shows of an entry; the raw entry stays whole.
const (
	maxName   = 1 << 10
	maxProse  = 64 << 10
	maxSchema = 256 << 10
	maxNote   = 400
)

// listAll asks for tools always, because servers forget to declare them, and
// for the rest only where it is declared, because others end when asked.
func (s *session) listAll(ctx context.Context) error { return s.listInto(ctx, &s.out) }

// listInto takes down what the server lists. Only the driver's goroutine
// touches the lists.
func (s *session) listInto(ctx context.Context, out *mcpsf.Session) error {
	var declared struct {
		Resources json.RawMessage `json:"resources"`
		Prompts   json.RawMessage `json:"prompts"`
	}
	if s.out.Capabilities != nil && json.Unmarshal(s.out.Capabilities, &declared) != nil {
		s.note("declared capabilities that make no sense")
	}
	lists := []struct {
		key  string
		want bool
		add  func(json.RawMessage)
	}{
		{"tools", true, func(raw json.RawMessage) { s.addTool(out, raw) }},
		{"resources", isObject(declared.Resources), func(raw json.RawMessage) { s.addResource(out, raw) }},
		{"prompts", isObject(declared.Prompts), func(raw json.RawMessage) { s.addPrompt(out, raw) }},
	}
	for i, l := range lists {
		s.opts.Progress("list", i, len(lists))
		if !l.want {
			continue
		}
		err := s.list(ctx, l.key, l.add)
		if err == nil && l.key == "tools" && s.silent[l.key] {
			err = s.list(ctx, l.key, l.add) // without them nothing is seen: once more
		}
		if err != nil {
			return err
		}
	}
	s.opts.Progress("list", len(lists), len(lists))
	return nil
}

// list asks for all pages of one list.
func (s *session) list(ctx context.Context, key string, add func(json.RawMessage)) error {
	seen := map[string]bool{}
	entries := 0
	delete(s.silent, key)
	params := map[string]any{}
	for range maxPages {
		raw, err := s.ask(ctx, request{method: key + "/list", params: params, timeout: s.opts.CallTimeout})
		if err != nil || raw == nil {
			s.silent[key] = s.unanswered()
			return err
		}
		content, cursor := page(raw, key)
		array, all := elements(content, maxEntries-entries, func(e json.RawMessage, _ int64) {
			entries++
			add(e)
		})
		switch {
		case !array:
			s.note(fmt.Sprintf("answered %s/list without a list", key))
		case !all:
			s.note(fmt.Sprintf("listed more than %d %s", maxEntries, key))
			return nil
		}
		next, more := s.cursor(key, cursor, seen)
		if !more {
			return nil
		}
		params = map[string]any{"cursor": next}
	}
	s.note(fmt.Sprintf("listed %s on more than %d pages", key, maxPages))
	return nil
}

// page takes an answer apart. A struct and not a map: a hostile answer may
// have a million keys.
func page(raw json.RawMessage, key string) (content, cursor json.RawMessage) {
	var p struct {
		Tools     json.RawMessage `json:"tools"`
		Resources json.RawMessage `json:"resources"`
		Prompts   json.RawMessage `json:"prompts"`
		Templates json.RawMessage `json:"resourceTemplates"`
		Next      json.RawMessage `json:"nextCursor"`
	}
	if json.Unmarshal(raw, &p) != nil {
		return nil, nil
	}
	switch key {
	case "tools":
		return p.Tools, p.Next
	case "resources":
		return p.Resources, p.Next
	case "resources/templates":
		return p.Templates, p.Next
	}
	return p.Prompts, p.Next
}

// cursor reads where the next page is. A cursor that was there before would
// lead us in circles.
func (s *session) cursor(key string, raw json.RawMessage, seen map[string]bool) (string, bool) {
	if raw == nil || string(raw) == "null" || string(raw) == `""` {
		return "", false
	}
	next, ok := asString(raw)
	switch {
	case !ok || len(next) > maxCursor:
		s.note(fmt.Sprintf("sent a cursor for %s that makes no sense", key))
		return "", false
	case seen[next]:
		s.note(fmt.Sprintf("repeated a cursor while listing %s", key))
		return "", false
	}
	seen[next] = true
	return next, true
}

func (s *session) addTool(out *mcpsf.Session, raw json.RawMessage) {
	var t struct {
		Name        json.RawMessage `json:"name"`
		Description json.RawMessage `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
		Annotations json.RawMessage `json:"annotations"`
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isObject(raw) || json.Unmarshal(raw, &t) != nil {
		s.noteLocked("listed a tool that is not an object")
		return
	}
	out.Tools = append(out.Tools, mcpsf.Tool{
		Name:        s.name("tool", t.Name),
		Description: s.field("tool description", t.Description, maxProse),
		InputSchema: s.schema(t.InputSchema),
		Annotations: s.annotations(t.Annotations),
		Raw:         raw,
	})
}

func (s *session) addResource(out *mcpsf.Session, raw json.RawMessage) {
	var r struct {
		URI  json.RawMessage `json:"uri"`
		Name json.RawMessage `json:"name"`
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isObject(raw) || json.Unmarshal(raw, &r) != nil {
		s.noteLocked("listed a resource that is not an object")
		return
	}
	out.Resources = append(out.Resources, mcpsf.Resource{
		URI:  s.name("resource", r.URI),
		Name: s.field("resource name", r.Name, maxName),
		Raw:  raw,
	})
}

func (s *session) addPrompt(out *mcpsf.Session, raw json.RawMessage) {
	var p struct {
		Name        json.RawMessage `json:"name"`
		Description json.RawMessage `json:"description"`
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isObject(raw) || json.Unmarshal(raw, &p) != nil {
		s.noteLocked("listed a prompt that is not an object")
		return
	}
	out.Prompts = append(out.Prompts, mcpsf.Prompt{
		Name:        s.name("prompt", p.Name),
		Description: s.field("prompt description", p.Description, maxProse),
		Raw:         raw,
	})
}
