package fuzz

import "strings"

// unquoted removes the escapes of quotes, so that they are not escaped twice.
func unquoted(s string) string {
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s)
}

// replaced puts a JSON value in place of the mark.
func replaced(s, value string) string {
	return strings.ReplaceAll(s, mark, value)
}
