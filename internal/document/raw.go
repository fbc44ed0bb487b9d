package document

import (
	"bytes"
	"encoding/json"
)

// How much of a command line or an environment in a manifest counts.
// no gap: a larger document is not used, and its reader says so
const (
	MaxWords = 128      // arguments or variables
	MaxWord  = 32 << 10 // bytes of each
)

// Text decodes a JSON string; anything else is "".
func Text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// Object decodes a JSON object; anything else is nil.
func Object(raw json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	return fields
}

// Scalar is the text of a JSON string, number or boolean; "" for the rest.
func Scalar(raw json.RawMessage) string {
	if s := Text(raw); s != "" || len(raw) == 0 {
		return s
	}
	if c := raw[0]; c == 't' || c == 'f' || c == '-' || c >= '0' && c <= '9' {
		return string(raw)
	}
	return ""
}

// PlainJSON blanks out comments and trailing commas, which most clients
// allow. Every byte stays where it is, so that lines keep their numbers.
func PlainJSON(data []byte) []byte {
	out := bytes.Clone(data)
	comma := -1 // the last comma, if nothing but blanks followed it
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			i = stringEnd(out, i)
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			i = blankComment(out, i)
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		default:
			comma = -1
		}
	}
	return out
}

// stringEnd returns where the quote is that ends the string.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data) && data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return i
}

func blankComment(data []byte, i int) int {
	end := len(data)
	if data[i+1] == '/' {
		if n := bytes.IndexByte(data[i:], '\n'); n >= 0 {
			end = i + n
		}
	} else if n := bytes.Index(data[i+2:], []byte("*/")); n >= 0 {
		end = i + 2 + n + 2
	}
	for j := i; j < end; j++ {
		if data[j] != '\n' {
			data[j] = ' '
		}
	}
	return end - 1
}
