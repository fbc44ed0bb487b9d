package session

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

// Bounds for arguments that are sent in headers.
// no gap: the argument is in the body of the request as well
const (
	maxHeaders     = 32
	maxHeaderDepth = 8
	maxHeaderValue = 4 << 10
)

// boundHeader is a parameter that is also sent in a header.
type boundHeader struct {
	path []string
	name string
}

// boundHeaders returns the parameters of a tool that are also sent in headers.
// It reports whether all header annotations of the schema are valid.
func boundHeaders(schema json.RawMessage) (list []boundHeader, sane bool) {
	seen := map[string]bool{}
	return list, bindHeaders(schema, nil, func(b boundHeader) bool {
		list = append(list, b)
		again := seen[strings.ToLower(b.name)]
		seen[strings.ToLower(b.name)] = true
		return !again && len(list) <= maxHeaders
	})
}

func bindHeaders(schema json.RawMessage, path []string, add func(boundHeader) bool) bool {
	var level struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if len(path) >= maxHeaderDepth || !jsonrpc.IsObject(schema) || json.Unmarshal(schema, &level) != nil {
		return true
	}
	sane := true
	for name, property := range level.Properties {
		var p struct {
			Type   json.RawMessage `json:"type"`
			Header json.RawMessage `json:"x-mcp-header"`
		}
		if !jsonrpc.IsObject(property) || json.Unmarshal(property, &p) != nil {
			continue
		}
		below := slices.Concat(path, []string{name})
		if p.Header != nil {
			header, _ := jsonrpc.String(p.Header)
			kind, _ := jsonrpc.String(p.Type)
			primitive := kind == "string" || kind == "integer" || kind == "boolean"
			if !primitive || !isToken(header) || !add(boundHeader{below, header}) {
				sane = false
			}
		}
		sane = bindHeaders(property, below, add) && sane
	}
	return sane
}

// isToken reports whether a text can be a header name.
func isToken(name string) bool {
	return name != "" && len(name) <= maxMethod && strings.IndexFunc(name, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r)
	}) < 0
}

// filled returns the headers with their values.
func filled(list []boundHeader, arguments json.RawMessage) map[string]string {
	out := map[string]string{}
	for _, b := range list {
		if !isToken(b.name) {
			continue
		}
		value := arguments
		for _, name := range b.path {
			var level map[string]json.RawMessage
			if json.Unmarshal(value, &level) != nil {
				value = nil
				break
			}
			value = level[name]
		}
		if text, ok := primitive(value); ok && len(text) <= maxHeaderValue {
			out[protocol.HeaderParam+b.name] = inHeader(text)
		}
	}
	return out
}

// primitive formats a JSON value for a header.
func primitive(raw json.RawMessage) (string, bool) {
	var v any
	if raw == nil || json.Unmarshal(raw, &v) != nil {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		const safe = 1<<53 - 1
		if v != math.Trunc(v) || math.Abs(v) > safe {
			return "", false
		}
		return strconv.FormatInt(int64(v), 10), true
	}
	return "", false
}

// inHeader encodes a text for a header.
func inHeader(text string) string {
	plain := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
	wrapped := strings.HasPrefix(text, "=?base64?") && strings.HasSuffix(text, "?=")
	if plain && !wrapped && strings.TrimSpace(text) == text {
		return text
	}
	return fmt.Sprintf("=?base64?%s?=", base64.StdEncoding.EncodeToString([]byte(text)))
}
