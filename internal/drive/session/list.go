package session

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// Bounds of the lists.
const (
	// gap: list-pages
	maxPages = 1000
	// maxEntries bounds the entries of use. Those without are bounded apart, so
	// that they displace none.
	// gap: list-entries
	maxEntries = 10_000
	// gap: list-entries
	maxJunk = 1_000_000
	// gap: list-cursor
	maxCursor = 64 << 10
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
		add  func(json.RawMessage) bool
	}{
		{"tools", true, func(raw json.RawMessage) bool { return l.entries.tool(out, raw) }},
		{"resources", jsonrpc.IsObject(declared.Resources), func(raw json.RawMessage) bool { return l.entries.resource(out, raw) }},
		{"prompts", jsonrpc.IsObject(declared.Prompts), func(raw json.RawMessage) bool { return l.entries.prompt(out, raw) }},
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

// list requests all pages of one list. add tells whether an entry is of use.
func (l *lister) list(ctx context.Context, key string, add func(json.RawMessage) bool) error {
	p := pages{lister: l, key: key, add: add, cursors: map[string]bool{}, entries: map[uint64]bool{}, seed: maphash.MakeSeed()}
	delete(l.silent, key)
	params, cursors := map[string]any{}, madeByUs()
	for range maxPages {
		raw, err := l.requests.ask(ctx, request{method: key + "/list", params: params, server: cursors, timeout: l.requests.opts.Timing.CallTimeout})
		if err != nil || raw == nil {
			if l.silent[key] = l.requests.leftOut || l.requests.ledger.unanswered(); l.silent[key] {
				l.entries.gap(gap.ListUnanswered, 0, 0)
			}
			return err
		}
		next, more := p.read(raw)
		if !more {
			return nil
		}
		params, cursors = map[string]any{"cursor": next}, madeByServer("/cursor", mcpsf.OriginResult)
	}
	l.entries.note(fmt.Sprintf("listed %s on more than %d pages", key, maxPages))
	l.entries.gap(gap.ListPages, maxPages, 0)
	return nil
}

// pages reads the pages of one list.
type pages struct {
	*lister
	key string
	add func(json.RawMessage) bool
	// useful and junk count the entries.
	useful, junk int
	cursors      map[string]bool
	// entries are hashes of those seen, with the seed.
	entries map[uint64]bool
	seed    maphash.Seed
}

// read reads one page and returns the cursor of the next.
func (p *pages) read(raw json.RawMessage) (next string, more bool) {
	content, cursor := page(raw, p.key)
	fresh, left := false, 0
	array, all := jsonrpc.Elements(content, maxEntries+maxJunk, func(e json.RawMessage, _ int64) {
		switch hash := maphash.Bytes(p.seed, e); {
		case p.useful >= maxEntries || p.junk >= maxJunk:
			left++
		case p.add(e):
			p.useful++
			fresh = fresh || !p.entries[hash]
			p.entries[hash] = true
		default:
			p.junk++
		}
	})
	switch {
	case !array:
		p.lister.entries.note(fmt.Sprintf("answered %s/list without a list", p.key))
	case left > 0 || !all:
		p.lister.entries.note(fmt.Sprintf("listed more than %d %s", maxEntries, p.key))
		p.lister.entries.gap(gap.ListEntries, maxEntries, left)
		return "", false
	}
	return p.cursor(cursor, fresh)
}

// page returns the entries and the cursor of one page. It keeps no other keys: a
// hostile answer may have a million.
func page(raw json.RawMessage, key string) (content, cursor json.RawMessage) {
	if key == "resources/templates" {
		key = "resourceTemplates"
	}
	found := jsonrpc.Fields(raw, key, "nextCursor")
	return found[key], found["nextCursor"]
}

// cursor reads the cursor of the next page. It refuses a repeated cursor if the
// page that has it brought nothing new: that would never end.
func (p *pages) cursor(raw json.RawMessage, fresh bool) (string, bool) {
	if raw == nil || string(raw) == "null" || string(raw) == `""` {
		return "", false
	}
	next, ok := jsonrpc.String(raw)
	switch {
	case !ok || len(next) > maxCursor:
		p.lister.entries.note(fmt.Sprintf("sent a cursor for %s that makes no sense", p.key))
		p.lister.entries.gap(gap.ListCursor, maxCursor, 0)
		return "", false
	case p.cursors[next] && !fresh:
		p.lister.entries.note(fmt.Sprintf("repeated a cursor while listing %s", p.key))
		return "", false
	}
	p.cursors[next] = true
	return next, true
}
