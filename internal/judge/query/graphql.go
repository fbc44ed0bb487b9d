package query

import "strings"

// InGraphQL reports whether a name occurs in a GraphQL document outside of
// strings and comments.
func InGraphQL(document, name string) bool {
	for at := 0; at < len(document) && name != ""; {
		rest := document[at:]
		switch {
		case strings.HasPrefix(rest, `"""`):
			at += until(rest, `"""`, 3)
		case rest[0] == '"':
			at += closed(rest, true)
		case rest[0] == '#':
			at += until(rest, "\n", 1)
		case strings.HasPrefix(rest, name) && !wordEnds(document[:at]) && !wordBegins(rest[len(name):]):
			return true
		default:
			at++
		}
	}
	return false
}
