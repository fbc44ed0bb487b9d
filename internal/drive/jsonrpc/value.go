package jsonrpc

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// String decodes a JSON string and refuses everything else.
func String(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// IsObject reports whether a value is an object.
func IsObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }

// IsTrue accepts true and "true".
func IsTrue(raw json.RawMessage) bool {
	return string(bytes.Trim(raw, `"`)) == "true"
}

// Fields returns the values of some keys of a JSON object. Keys are compared
// exactly, as clients in other languages do; of two with the same key the last
// counts. What cannot be parsed is left out.
func Fields(raw []byte, keys ...string) map[string]json.RawMessage {
	found := make(map[string]json.RawMessage, len(keys))
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return found
	}
	for dec.More() {
		t, err := dec.Token()
		key, ok := t.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			break
		}
		if slices.Contains(keys, key) {
			found[key] = value
		}
	}
	return found
}

// Elements calls yield for each element of a JSON array, at most limit times,
// with the offset after the element. It reports whether raw is an array and
// whether every element was yielded.
func Elements(raw []byte, limit int, yield func(element json.RawMessage, end int64)) (array, all bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return false, false
	}
	for range limit {
		if !dec.More() {
			return true, true
		}
		var element json.RawMessage
		if dec.Decode(&element) != nil {
			return true, false
		}
		yield(element, dec.InputOffset())
	}
	return true, !dec.More()
}

// Body cuts raw JSON to limit. A longer value becomes a JSON string of its
// beginning, because half an object is not JSON.
func Body(raw json.RawMessage, limit int) (json.RawMessage, bool) {
	if len(raw) <= limit {
		return raw, false
	}
	return Text(raw, limit)
}

// Text makes a JSON string of b that is no longer than limit.
func Text(b []byte, limit int) (out json.RawMessage, cut bool) {
	const worst = 6 // bytes that one escaped byte can take
	if len(b) > limit {
		b, cut = b[:runeStart(b, limit)], true
	}
	out = quote(b)
	if len(out) > limit {
		b, cut = b[:runeStart(b, min(len(b), limit/worst-1))], true
		out = quote(b)
	}
	return out, cut
}

// runeStart returns the largest index up to n that does not split a rune.
func runeStart(b []byte, n int) int {
	for i := n; i > 0 && i > n-utf8.UTFMax && i < len(b); i-- {
		if utf8.RuneStart(b[i]) {
			return i
		}
	}
	return n
}

func quote(b []byte) json.RawMessage {
	out, err := Marshal(string(b))
	if err != nil {
		return json.RawMessage(`""`) // encoding a string cannot fail
	}
	return out
}

// Marshal is json.Marshal without HTML escapes, so that messages and reports
// show the original characters.
func Marshal(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Clip cuts a string for a note or a report field.
func Clip(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	return s[:runeStart([]byte(s[:min(len(s), limit+1)]), limit)], true
}
