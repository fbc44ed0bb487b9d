package refusal_test

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/refusal"
)

func TestIsBare(t *testing.T) {
	for text, want := range map[string]bool{
		"Error executing tool get_word":                  true,
		"Error executing tool 'get_word'.":               true,
		"Error calling tool 'search'":                    true,
		"Internal error":                                 true,
		"Internal server error":                          true,
		"error -32603: Internal error":                   true,
		"An unexpected error occurred.":                  true,
		"An error occurred while executing the tool":     true,
		"Tool execution failed":                          true,
		"Something went wrong":                           true,
		"Error":                                          true,
		"Error executing tool get_word: no such word":    false,
		"Error: symbol not found":                        false,
		"Missing required parameter: path":               false,
		"Internal error: the file /tmp/a does not exist": false,
		"failed to open the file":                        false,
		"error -32602: Invalid params":                   false,
		strings.Repeat("Error ", 100):                    false,
	} {
		if got := refusal.IsBare(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestLogged(t *testing.T) {
	for name, c := range map[string]struct{ log, want string }{
		"python":                  {"INFO Processing request\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n    raise ValueError('no')\nValueError: period must be one of 1d, 5d", "period must be one of 1d, 5d"},
		"the cause of a bare one": {"ValueError: no such symbol\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\nmcp.exceptions.ToolError: Error executing tool get_quote", "no such symbol"},
		"several lines":           {"pydantic_core._pydantic_core.ValidationError: 1 validation error for Query\nsize\n  Input should be less than 5\n2026-01-01 INFO next", "1 validation error for Query\nsize\n  Input should be less than 5"},
		"node":                    {"TypeError [ERR_INVALID_URL]: Invalid URL\n    at new URL (node:internal/url:797:36)", "Invalid URL"},
		"none":                    {"starting\nServer running on stdio", ""},
		"a level":                 {"2026-01-01 ERROR: it is broken", ""},
	} {
		if got := refusal.Logged(strings.Split(c.log, "\n")); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
