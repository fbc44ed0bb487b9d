package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// Bounds of the lists.
const (
	maxPages   = 1000
	maxEntries = 10_000
	maxCursor  = 64 << 10
)

// lister requests the server's lists.
type lister struct {
	requests *requester
	entries  *entryReader
	out      *mcpsf.Session
	silent   map[string]bool // lists that were requested and not answered
}

// all lists the tools always, because some servers forget to declare them, and
// the rest only if declared, because some servers crash when asked.
func (l *lister) all(ctx context.Context) error { return l.into(ctx, l.out) }

// into stores what the server lists. Only the driver's goroutine touches the
// lists.
func (l *lister) into(ctx context.Context, out *mcpsf.Session) error {
	var declared struct {
		Resources json.RawMessage `json:"resources"`
		Prompts   json.RawMessage `json:"prompts"`
	}
	if l.out.Capabilities != nil && json.Unmarshal(l.out.Capabilities, &declared) != nil {
		l.entries.note("declared capabilities that make no sense")
	}
	lists := []struct {
		key  string
		want bool
		add  func(json.RawMessage)
	}{
		{"tools", true, func(raw json.RawMessage) { l.entries.tool(out, raw) }},
		{"resources", jsonrpc.IsObject(declared.Resources), func(raw json.RawMessage) { l.entries.resource(out, raw) }},
		{"prompts", jsonrpc.IsObject(declared.Prompts), func(raw json.RawMessage) { l.entries.prompt(out, raw) }},
	}
	for i, one := range lists {
		l.requests.opts.Progress("list", i, len(lists))
		if !one.want {
			continue
		}
		err := l.list(ctx, one.key, one.add)
		if err == nil && one.key == "tools" && l.silent[one.key] {
			err = l.list(ctx, one.key, one.add) // without the tools there is nothing to call: try again
		}
		if err != nil {
			return err
		}
	}
	l.requests.opts.Progress("list", len(lists), len(lists))
	return nil
}

// list requests all pages of one list.
func (l *lister) list(ctx context.Context, key string, add func(json.RawMessage)) error {
	seen := map[string]bool{}
	entries := 0
	delete(l.silent, key)
	params, cursors := map[string]any{}, madeByUs()
	for range maxPages {
		raw, err := l.requests.ask(ctx, request{method: key + "/list", params: params, server: cursors, timeout: l.requests.opts.Timing.CallTimeout})
		if err != nil || raw == nil {
			l.silent[key] = l.requests.ledger.unanswered()
			return err
		}
		content, cursor := page(raw, key)
		array, all := jsonrpc.Elements(content, maxEntries-entries, func(e json.RawMessage, _ int64) {
			entries++
			add(e)
		})
		switch {
		case !array:
			l.entries.note(fmt.Sprintf("answered %s/list without a list", key))
		case !all:
			l.entries.note(fmt.Sprintf("listed more than %d %s", maxEntries, key))
			return nil
		}
		next, more := l.cursor(key, cursor, seen)
		if !more {
			return nil
		}
		params, cursors = map[string]any{"cursor": next}, madeByServer("/cursor", mcpsf.OriginResult)
	}
	l.entries.note(fmt.Sprintf("listed %s on more than %d pages", key, maxPages))
	return nil
}

// page decodes one page. It uses a struct and not a map: a hostile answer may
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

// cursor reads the cursor of the next page. It refuses a repeated cursor, which
// would never end.
func (l *lister) cursor(key string, raw json.RawMessage, seen map[string]bool) (string, bool) {
	if raw == nil || string(raw) == "null" || string(raw) == `""` {
		return "", false
	}
	next, ok := jsonrpc.String(raw)
	switch {
	case !ok || len(next) > maxCursor:
		l.entries.note(fmt.Sprintf("sent a cursor for %s that makes no sense", key))
		return "", false
	case seen[next]:
		l.entries.note(fmt.Sprintf("repeated a cursor while listing %s", key))
		return "", false
	}
	seen[next] = true
	return next, true
}
