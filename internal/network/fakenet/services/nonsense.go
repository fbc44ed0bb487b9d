package services

import (
	"net/http"
	"strings"
)

// nonsense is told that there is no such thing: a path with the syntax of a
// shell in it names nothing anywhere. What a client does when it is refused,
// and with the very words that were refused, is worth seeing.
func nonsense(_ *Services, r *Request) *Answer {
	if !r.Reads() || !strings.ContainsAny(r.Path, "`\"\n\r") && !strings.Contains(r.Path, "$(") {
		return nil
	}
	return Page(http.StatusNotFound)
}
