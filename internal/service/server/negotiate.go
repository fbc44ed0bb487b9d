package server

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/report"
)

// maxAccept is how many entries of an Accept header are read.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxAccept = 100

// reportForm is a format of reports: its name in the query, and its media type.
type reportForm struct {
	name, contentType string
	format            report.Format
}

// reportForms are all of them, the default first.
func reportForms() []reportForm {
	return []reportForm{
		{"json", "application/json", report.FormatJSON},
		{"sarif", "application/sarif+json", report.FormatSARIF},
		{"html", "text/html", report.FormatHTML},
		{"markdown", "text/markdown", report.FormatMarkdown},
	}
}

// negotiate picks the format of a report: by the query, or by the Accept header.
func negotiate(r *http.Request) (reportForm, error) {
	if r.URL.Query().Has("format") {
		for _, f := range reportForms() {
			if f.name == r.URL.Query().Get("format") {
				return f, nil
			}
		}
		return reportForm{}, badRequest("format must be json, sarif, html or markdown")
	}
	accept := strings.Join(r.Header.Values("Accept"), ",")
	if strings.TrimSpace(accept) == "" {
		accept = "*/*"
	}
	best, most := reportForm{}, 0.0
	for _, f := range reportForms() {
		if q := quality(accept, f.contentType); q > most {
			best, most = f, q
		}
	}
	if most == 0 {
		return reportForm{}, refuse(http.StatusNotAcceptable, "not-acceptable", "reports are available as application/json, application/sarif+json, text/html and text/markdown")
	}
	return best, nil
}

// quality is the q value of a media type in an Accept header, 0 to 1. The most
// specific entry counts.
func quality(accept, contentType string) float64 {
	major, _, _ := strings.Cut(contentType, "/")
	best, exact := 0.0, -1
	for i, word := range strings.Split(accept, ",") {
		kind, params, err := mime.ParseMediaType(word)
		if err != nil || i >= maxAccept {
			continue
		}
		q := 1.0
		if text, ok := params["q"]; ok {
			if q, err = strconv.ParseFloat(text, 64); err != nil || !(q >= 0 && q <= 1) { // NaN fails both
				continue
			}
		}
		how := map[string]int{"*/*": 0, major + "/*": 1, contentType: 2}
		if n, ok := how[kind]; ok && n > exact {
			best, exact = q, n
		}
	}
	return best
}
