package services

import (
	"net/http"
	"strings"
)

// nonsense answers 404 to a path that contains shell syntax, because no such
// path exists. How the client reacts, and what it does with the refused text,
// is worth observing.
func nonsense(_ *Services, r *Request) *Answer {
	if !r.Reads() || !strings.ContainsAny(r.Path, "`\"\n\r") && !strings.Contains(r.Path, "$(") {
		return nil
	}
	return Page(http.StatusNotFound)
}
