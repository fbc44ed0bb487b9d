package services

import "net/http"

// Bridge answers a message of a program to an application on the same machine that takes
// objects without HTTP around them: with the members by which clients of such tell that
// it succeeded, and what is expected beside them.
func (s *Services) Bridge(r *Request) []byte {
	a := procedure(s, r)
	if a == nil {
		a = asJSON(http.StatusOK, object{"status": "success", "success": true, "result": s.record(r)})
	}
	s.complete(r, a)
	return a.Body
}
