package oauth

import "strings"

// challenge is the WWW-Authenticate header of a server's refusal.
type challenge struct {
	// Metadata is the address of the resource metadata, Scope the required
	// scope and Error the reason of the refusal.
	Metadata, Scope, Error string
}

// maxHeader bounds how much of a header is read.
// no gap: bounds the login at a remote server; failure is an error
const maxHeader = 8 << 10

// parseChallenge reads the first Bearer challenge.
func parseChallenge(headers []string) challenge {
	for _, h := range headers {
		if len(h) > maxHeader {
			continue
		}
		at := strings.Index(strings.ToLower(h), "bearer")
		if at < 0 {
			continue
		}
		params := parameters(h[at+len("bearer"):])
		return challenge{Metadata: params["resource_metadata"], Scope: params["scope"], Error: params["error"]}
	}
	return challenge{}
}

// parameters reads name="value" and name=value, separated by commas.
func parameters(s string) map[string]string {
	all := map[string]string{}
	for s = strings.TrimLeft(s, " \t,"); s != ""; s = strings.TrimLeft(s, " \t,") {
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			break
		}
		// Another scheme may precede the name.
		if i := strings.LastIndexAny(name, " \t,"); i >= 0 {
			name = name[i+1:]
		}
		var value string
		value, s = parameter(rest)
		if _, twice := all[name]; !twice {
			all[strings.ToLower(name)] = value
		}
	}
	return all
}

// parameter reads one value from the beginning of s.
func parameter(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		if i := strings.IndexAny(s, ", \t"); i >= 0 {
			return s[:i], s[i:]
		}
		return s, ""
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:]
		case '\\':
			if i++; i < len(s) {
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), ""
}

func joinWords(list []string) string { return strings.Join(list, " ") }
