package session

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// Bounds of an entry in a report; the raw entry stays whole.
const (
	// no gap: calls use the whole name, and texts are scanned whole
	maxName, maxProse = 1 << 10, 64 << 10
	// gap: schema-size
	maxSchema = 1 << 20
)

// entryReader reads the entries of lists field by field and notes their
// defects.
type entryReader struct {
	note func(string)
	gap  func(code mcpsf.GapCode, limit, count int)
}

// tool adds an entry of tools/list, and tells whether it is one.
func (r *entryReader) tool(out *mcpsf.Session, raw json.RawMessage) bool {
	if !jsonrpc.IsObject(raw) {
		r.note("listed a tool that is not an object")
		return false
	}
	t := jsonrpc.Fields(raw, "name", "description", "inputSchema", "annotations")
	out.Tools = append(out.Tools, mcpsf.Tool{
		Name:        r.name("tool", t["name"]),
		Description: r.field("tool description", t["description"], maxProse),
		InputSchema: r.schema(t["inputSchema"]),
		Annotations: r.annotations(t["annotations"]),
		Raw:         raw,
	})
	return true
}

// resource adds an entry of resources/list.
func (r *entryReader) resource(out *mcpsf.Session, raw json.RawMessage) bool {
	if !jsonrpc.IsObject(raw) {
		r.note("listed a resource that is not an object")
		return false
	}
	listed := jsonrpc.Fields(raw, "uri", "name")
	out.Resources = append(out.Resources, mcpsf.Resource{
		URI:  r.name("resource", listed["uri"]),
		Name: r.field("resource name", listed["name"], maxName),
		Raw:  raw,
	})
	return true
}

// prompt adds an entry of prompts/list.
func (r *entryReader) prompt(out *mcpsf.Session, raw json.RawMessage) bool {
	if !jsonrpc.IsObject(raw) {
		r.note("listed a prompt that is not an object")
		return false
	}
	p := jsonrpc.Fields(raw, "name", "description")
	out.Prompts = append(out.Prompts, mcpsf.Prompt{
		Name:        r.name("prompt", p["name"]),
		Description: r.field("prompt description", p["description"], maxProse),
		Raw:         raw,
	})
	return true
}

// name reads the name of an entry. Of a long name it keeps the beginning and a
// hash, so that two long names stay two.
func (r *entryReader) name(what string, raw json.RawMessage) string {
	whole, ok := jsonrpc.String(raw)
	if !ok {
		r.note(fmt.Sprintf("listed a %s without a name", what))
	}
	name := r.field(what+" name", raw, maxName)
	if len(name) < len(whole) {
		const hash = 8
		name, _ = jsonrpc.Clip(whole, maxName-2*hash-len("…"))
		name = fmt.Sprintf("%s…%x", name, sha256.Sum256([]byte(whole)))[:len(name)+len("…")+2*hash]
	}
	return name
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
		r.gap(gap.SchemaSize, maxSchema, 0)
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
