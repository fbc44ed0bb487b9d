package main

import "strings"

// isCobraUsage recognises the two complaints cobra makes without a type of
// their own: an unknown command and a wrong number of arguments.
func isCobraUsage(err error) bool {
	for _, prefix := range []string{"unknown command", "accepts ", "requires at least", "invalid argument"} {
		if strings.HasPrefix(err.Error(), prefix) {
			return true
		}
	}
	return false
}
