package session

import (
	"encoding/json"
	"fmt"
)

// name reads what an entry is called by. The caller holds mu.
func (s *session) name(what string, raw json.RawMessage) string {
	if _, ok := asString(raw); !ok {
		s.noteLocked(fmt.Sprintf("listed a %s without a name", what))
	}
	return s.field(what+" name", raw, maxName)
}

// field reads a text that should be a string. What is none is shown as the
// JSON it is. The caller holds mu.
func (s *session) field(what string, raw json.RawMessage, limit int) string {
	if raw == nil || string(raw) == "null" {
		return ""
	}
	value, ok := asString(raw)
	if !ok {
		s.noteLocked(fmt.Sprintf("sent a %s that is not a string", what))
		value = string(raw)
	}
	value, cut := clip(value, limit)
	if cut {
		s.noteLocked(fmt.Sprintf("sent a %s longer than %d bytes", what, limit))
	}
	return value
}

// schema keeps any JSON of tolerable size: deciding what it means is not the
// list's business. The caller holds mu.
func (s *session) schema(raw json.RawMessage) json.RawMessage {
	switch {
	case raw == nil || string(raw) == "null":
		s.noteLocked("listed a tool without an input schema")
		return nil
	case len(raw) > maxSchema:
		s.noteLocked("listed a tool with an oversized input schema")
		return nil
	case !isObject(raw):
		s.noteLocked("listed a tool whose input schema is not an object")
	}
	return raw
}

func (s *session) annotations(raw json.RawMessage) json.RawMessage {
	switch {
	case raw == nil || string(raw) == "null":
		return nil
	case !isObject(raw):
		s.noteLocked("sent tool annotations that are not an object")
	}
	kept, _ := body(raw, maxProse)
	return kept
}
