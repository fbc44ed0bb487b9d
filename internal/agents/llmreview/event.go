package llmreview

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxBody is how many bytes of a message the text of an event contains.
// gap: model-review
const maxBody = 400

// eventText is an event as a model sees it: without what differs from run to
// run, so that the record of one run answers for the next.
func eventText(e *mcpsf.Event) string {
	v := *e
	v.Seq, v.T, v.PID, v.PPID, v.TID, v.Cause, v.Count, v.Call = 0, 0, 0, 0, 0, 0, 0, ""
	if e.MCP != nil {
		d := *e.MCP
		d.ID, d.Size, d.Seconds = nil, 0, 0
		d.Body = shortBody(d.Body)
		v.MCP = &d
	}
	if e.Net != nil {
		d := *e.Net
		d.Local = 0
		v.Net = &d
	}
	if e.Leak != nil {
		d := *e.Leak
		d.Via = nil
		v.Leak = &d
	}
	if e.Flow != nil {
		d := *e.Flow
		d.Seconds = 0
		v.Flow = &d
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(&v); err != nil {
		return string(e.Kind)
	}
	text := strings.TrimSpace(buf.String())
	return strings.Replace(text, `{"seq":0,"t":0,`, "{", 1)
}

// shortBody is the beginning of a message. If it is no longer JSON, it becomes
// a string.
func shortBody(body json.RawMessage) json.RawMessage {
	if len(body) <= maxBody && json.Valid(body) {
		return body
	}
	text, err := json.Marshal(strings.ToValidUTF8(string(body[:min(len(body), maxBody)]), "\ufffd"))
	if err != nil {
		return nil
	}
	return text
}

// maxLeaves bounds the strings of one event, maxLeaf one of them.
// gap: model-review
const maxLeaves, maxLeaf = 100, 4 << 10

// leaves are the strings of an event. Messages that list tools or other items
// are left out: they contain all texts and prove nothing about one.
func leaves(e *mcpsf.Event) []string {
	v := *e
	if e.MCP != nil && slices.Contains([]mcpsf.Kind{mcpsf.KindMCPRequest, mcpsf.KindMCPResponse}, e.Kind) {
		v.MCP = nil
	}
	raw, err := json.Marshal(&v)
	if err != nil {
		return nil
	}
	var tree any
	if json.Unmarshal(raw, &tree) != nil {
		return nil
	}
	var all []string
	collect(tree, &all, 0)
	return all
}

func collect(v any, all *[]string, depth int) {
	if depth > 20 || len(*all) >= maxLeaves {
		return
	}
	switch v := v.(type) {
	case string:
		*all = append(*all, cut(v, maxLeaf))
	case []any:
		for i := range v {
			collect(v[i], all, depth+1)
		}
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			collect(v[key], all, depth+1)
		}
	}
}
