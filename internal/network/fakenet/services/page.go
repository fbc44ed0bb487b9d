package services

import (
	"fmt"
	"net/http"
	"strings"
)

const kindHTML = "text/html; charset=utf-8"

// Page is a short HTML page for a status.
func Page(status int) *Answer {
	title := fmt.Sprintf("%d %s", status, http.StatusText(status))
	return of(status, kindHTML, []byte("<html>\r\n<head><title>"+title+"</title></head>\r\n<body>\r\n<center><h1>"+title+"</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"))
}

// markup is a page for clients that want HTML.
func markup(s *Services, r *Request) *Answer {
	if !r.Reads() || !wantsPage(r) {
		return nil
	}
	d := s.diceFor(r)
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
<p>The quick brown fox jumps over the lazy dog.</p>
<nav><a href="/about">About</a> <a href="/contact">Contact</a></nav>
<form action="/search" method="get">
<label for="message">Message</label> <textarea id="message" name="message"></textarea>
<label for="plan">Plan</label> <select id="plan" name="plan"><option value="basic">Basic</option><option value="example">Example</option></select>
<label><input type="checkbox" id="news" name="news"> Send me news</label>
<label for="attachment">Attachment</label> <input type="file" id="attachment" name="attachment" multiple>
<button type="submit">Search</button>
</form>
<iframe title="Preview" srcdoc="<textarea></textarea> <button>Save</button>"></iframe>
</body>
</html>
`))
}

func wantsPage(r *Request) bool {
	accept := r.Header("Accept")
	switch {
	case strings.Contains(accept, "text/html"):
		return true
	case strings.Contains(accept, "json") || strings.Contains(r.Header("Content-Type"), "json"):
		return false
	case strings.HasPrefix(r.Domain(), "api.") || hasAny(r.Path, "/api/", "/v1/", "/v2/", "/v3/"):
		return false
	}
	return r.Path == "/" || strings.HasSuffix(r.Path, ".html") || strings.HasSuffix(r.Path, ".htm")
}
