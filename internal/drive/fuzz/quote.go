package fuzz

import "strings"

// unquoted takes back the escapes of quotes, which a reader of JSON does not
// want to see twice.
func unquoted(s string) string {
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s)
}

// replaced puts a value where the mark stands, as it is written in JSON.
func replaced(s, value string) string {
	return strings.ReplaceAll(s, mark, value)
}
