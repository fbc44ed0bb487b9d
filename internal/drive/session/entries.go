package session

import (
	"encoding/json"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// Bounds of an entry in a report; the raw entry stays whole.
const (
	maxName   = 1 << 10
	maxProse  = 64 << 10
	maxSchema = 256 << 10
)

// entryReader reads the entries of lists field by field and notes their
// defects.
type entryReader struct {
	note func(string)
}

// tool adds an entry of tools/list.
func (r *entryReader) tool(out *mcpsf.Session, raw json.RawMessage) {
	var t struct {
		Name        json.RawMessage `json:"name"`
		Description json.RawMessage `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
		Annotations json.RawMessage `json:"annotations"`
	}
	if !jsonrpc.IsObject(raw) || json.Unmarshal(raw, &t) != nil {
		r.note("listed a tool that is not an object")
		return
	}
	out.Tools = append(out.Tools, mcpsf.Tool{
		Name:        r.name("tool", t.Name),
		Description: r.field("tool description", t.Description, maxProse),
		InputSchema: r.schema(t.InputSchema),
		Annotations: r.annotations(t.Annotations),
		Raw:         raw,
	})
}

// resource adds an entry of resources/list.
func (r *entryReader) resource(out *mcpsf.Session, raw json.RawMessage) {
	var listed struct {
		URI  json.RawMessage `json:"uri"`
		Name json.RawMessage `json:"name"`
	}
	if !jsonrpc.IsObject(raw) || json.Unmarshal(raw, &listed) != nil {
		r.note("listed a resource that is not an object")
		return
	}
	out.Resources = append(out.Resources, mcpsf.Resource{
		URI:  r.name("resource", listed.URI),
		Name: r.field("resource name", listed.Name, maxName),
		Raw:  raw,
	})
}

// prompt adds an entry of prompts/list.
func (r *entryReader) prompt(out *mcpsf.Session, raw json.RawMessage) {
	var p struct {
		Name        json.RawMessage `json:"name"`
		Description json.RawMessage `json:"description"`
	}
	if !jsonrpc.IsObject(raw) || json.Unmarshal(raw, &p) != nil {
		r.note("listed a prompt that is not an object")
		return
	}
	out.Prompts = append(out.Prompts, mcpsf.Prompt{
		Name:        r.name("prompt", p.Name),
		Description: r.field("prompt description", p.Description, maxProse),
		Raw:         raw,
	})
}

// name reads the name of an entry.
func (r *entryReader) name(what string, raw json.RawMessage) string {
	if _, ok := jsonrpc.String(raw); !ok {
		r.note(fmt.Sprintf("listed a %s without a name", what))
	}
	return r.field(what+" name", raw, maxName)
}

// field reads a text that should be a string. Any other value is shown as JSON.
func (r *entryReader) field(what string, raw json.RawMessage, limit int) string {
	if raw == nil || string(raw) == "null" {
		return ""
	}
	value, ok := jsonrpc.String(raw)
	if !ok {
		r.note(fmt.Sprintf("sent a %s that is not a string", what))
		value = string(raw)
	}
	value, cut := jsonrpc.Clip(value, limit)
	if cut {
		r.note(fmt.Sprintf("sent a %s longer than %d bytes", what, limit))
	}
	return value
}

// schema keeps any JSON of tolerable size; it does not interpret it.
func (r *entryReader) schema(raw json.RawMessage) json.RawMessage {
	switch {
	case raw == nil || string(raw) == "null":
		r.note("listed a tool without an input schema")
		return nil
	case len(raw) > maxSchema:
		r.note("listed a tool with an oversized input schema")
		return nil
	case !jsonrpc.IsObject(raw):
		r.note("listed a tool whose input schema is not an object")
	}
	return raw
}

func (r *entryReader) annotations(raw json.RawMessage) json.RawMessage {
	switch {
	case raw == nil || string(raw) == "null":
		return nil
	case !jsonrpc.IsObject(raw):
		r.note("sent tool annotations that are not an object")
	}
	kept, _ := jsonrpc.Body(raw, maxProse)
	return kept
}
