package host

import (
	"fmt"
	"net/http"
	"strings"
)

const kindHTML = "text/html; charset=utf-8"

// page is the short one of a status.
func page(status int) *answer {
	title := fmt.Sprintf("%d %s", status, http.StatusText(status))
	return of(status, kindHTML, []byte("<html>\r\n<head><title>"+title+"</title></head>\r\n<body>\r\n<center><h1>"+title+"</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"))
}

// markup is a page for those who want to look at one.
func markup(s *session, r *request) *answer {
	if !r.reads() || !wantsPage(r) {
		return nil
	}
	d := s.dice(r)
	title := pick(d, "Welcome", "Home", "Overview", "Getting started")
	return of(http.StatusOK, kindHTML, []byte(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>`+title+`</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
</head>
<body>
<h1>`+title+`</h1>
<p>`+pick(d, "Thank you for visiting.", "This page was updated recently.", "Everything is running normally.")+`</p>
<p><a href="/about">About</a> <a href="/contact">Contact</a></p>
</body>
</html>
`))
}

func wantsPage(r *request) bool {
	accept := r.header("Accept")
	switch {
	case strings.Contains(accept, "text/html"):
		return true
	case strings.Contains(accept, "json") || strings.Contains(r.header("Content-Type"), "json"):
		return false
	case strings.HasPrefix(r.domain(), "api.") || hasAny(r.path, "/api/", "/v1/", "/v2/", "/v3/"):
		return false
	}
	return r.path == "/" || strings.HasSuffix(r.path, ".html") || strings.HasSuffix(r.path, ".htm")
}
