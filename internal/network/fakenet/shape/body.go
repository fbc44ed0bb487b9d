package shape

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// The forms of whole answers that are learned.
const (
	bodyJSON = "json"
	bodyXML  = "xml"
)

// bodyOf is what a wish says about all of an answer, "" if it is about a part.
func bodyOf(w *mcpsf.Wish) string {
	switch kind := strings.ToLower(w.Type); {
	case strings.Contains(kind, "/") && w.Output:
		return kind
	case mediaTypes()[kind] != "":
		return mediaTypes()[kind]
	case kind == bodyXML:
		return kind
	case kind == bodyJSON:
		if w.Value == "" || strings.HasPrefix(strings.TrimSpace(w.Value), "<") { // else it is a text in the answer
			return kind
		}
	}
	return ""
}

// mediaTypes are those of the documents that messages of programs name by a word.
func mediaTypes() map[string]string {
	return map[string]string{"feed": "application/rss+xml", "icalendar": "text/calendar", "sitemap": "application/xml", "gpx": "application/gpx+xml"}
}

// Answered notes a request that was answered with what is no JSON.
func (e *Expectations) Answered(r *Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if k := e.key(r).anyForm(); e.begun && !e.frozen && len(e.others) < maxAsked && !slices.Contains(e.others, k) {
		e.others = append(e.others, k)
	}
}

// learnBody notes what the answers were to be: what was no JSON becomes JSON, what was
// JSON becomes XML or has the content type of a file.
func (e *Expectations) learnBody(kind string) bool {
	var about []key
	if kind == bodyJSON || strings.Contains(kind, "/") {
		about = append(about, e.others...)
	}
	if kind != bodyJSON {
		for i := range e.asked {
			about = append(about, e.asked[i].key.anyForm())
		}
	}
	changed := false
	for _, k := range about {
		if e.bodies[k] != "" || len(e.bodies) >= maxLessons {
			continue
		}
		if e.bodies == nil {
			e.bodies = map[key]string{}
		}
		e.bodies[k], changed = kind, true
	}
	return changed
}

// WantsJSON says that the answer to a request was learned to be JSON, whatever its path
// and headers say.
func (e *Expectations) WantsJSON(r *Request) bool { return e.body(r) == bodyJSON }

// Media is the content type that the answer to a request was learned to have, "" if
// that is usual.
func (e *Expectations) Media(r *Request) string {
	if kind := e.body(r); strings.Contains(kind, "/") {
		return kind
	}
	return ""
}

func (e *Expectations) body(r *Request) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.bodies) == 0 {
		return ""
	}
	return e.bodies[e.key(r).anyForm()]
}

// AsXML writes an answer as XML; nil if nothing said that it must be XML.
func (e *Expectations) AsXML(r *Request, value any) []byte {
	if e.body(r) != bodyXML {
		return nil
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	if list, ok := value.([]any); ok {
		value = map[string]any{"item": list}
	}
	element(&b, "response", value, false, 0)
	return b.Bytes()
}
