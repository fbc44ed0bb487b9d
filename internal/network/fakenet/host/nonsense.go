package host

import (
	"net/http"
	"strings"
)

// nonsense is told that there is no such thing: a path with the syntax of a
// shell in it names nothing anywhere. What a client does when it is refused,
// and with the very words that were refused, is worth seeing.
func nonsense(_ *session, r *request) *answer {
	if !r.reads() || !strings.ContainsAny(r.path, "`\"\n\r") && !strings.Contains(r.path, "$(") {
		return nil
	}
	return page(http.StatusNotFound)
}
