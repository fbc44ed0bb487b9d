// Package attackrules tells which rules are about a weakness that one of our
// attacks or checks showed, not about what the server did by itself.
package attackrules

import "slices"

// ByAttack tells whether the rule is about a successful attack.
func ByAttack(id string) bool {
	return slices.Contains([]string{
		"arbitrary-file-overwrite", "argument-injection", "argument-injection-option", "code-injection", "crash-on-argument", "crash-on-argument-delayed",
		"crash-on-malformed-unicode", "csrf-command-execution", "dns-rebinding-file-read", "hang-on-argument",
		"insecure-deserialization", "log-injection", "missing-authentication-command-execution", "missing-authentication-file-read",
		"missing-authentication-ssrf", "os-command-injection", "path-traversal", "path-traversal-unauthenticated",
		"prototype-pollution", "query-injection", "resource-exhaustion", "sql-injection", "ssrf", "ssrf-by-header",
		"ssrf-file-url", "ssrf-unrestricted-fetch", "template-injection", "xpath-injection", "xss", "xxe", "zip-slip",
	}, id)
}

// ByCheck tells whether the rule is about a check of a server that listens.
func ByCheck(id string) bool {
	return slices.Contains([]string{
		"authentication-bypass", "cleartext-transport", "cors-credentials", "cross-client-data-leak", "csrf-tool-call",
		"dns-rebinding", "missing-authentication", "missing-authentication-tool-list", "oauth-misconfiguration",
		"predictable-session-id", "session-fixation", "session-hijacking", "weak-tls",
	}, id)
}

// ByMessage tells whether the rule is about a message that crashed the server.
func ByMessage(id string) bool {
	return slices.Contains([]string{"crash-on-malformed-message", "crash-on-unexpected-call"}, id)
}
