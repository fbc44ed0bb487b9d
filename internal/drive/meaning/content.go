package meaning

import (
	"encoding/base64"
	"slices"
	"strings"
)

// maxContent bounds the documents that are sent as a value. Those in base64 may be
// longer: few pictures are shorter.
// no gap: bounds how a value is guessed; the tool is called with another one
const (
	maxContent = 4 << 10
	maxEncoded = 16 << 10
)

// Text returns the text of a sample with an ending, "" if there is none or it is long.
func (s *Samples) Text(ending string) string {
	if s.Content == nil {
		return ""
	}
	content := s.Content(strings.ToLower(ending))
	if len(content) > maxContent {
		return ""
	}
	return string(content)
}

// content returns the text of a document for a parameter that takes one in a format that
// the words around it name: "ics: iCalendar text". Where they say so, it is in base64.
func (v Values) content(s sense, known bool, names, said []string) (Kind, string, bool) {
	if v.Samples.Content == nil || !takesDocument(s, known, names, said) {
		return "", "", false
	}
	opening := said[:min(len(said), maxMention)]
	encoded := HasWord(names, "base64", "b64") || HasWord(said, "base64", "b64")
	endings := slices.Concat(meant(names), meant(opening))
	if holdsDocument(names) {
		endings = append(endings, meant(Words(v.tool))...)
	}
	for _, ending := range endings {
		if encoded {
			if raw := v.Samples.Content(ending); len(raw) > 0 && len(raw) <= maxEncoded {
				return KindData, base64.StdEncoding.EncodeToString(raw), true
			}
			continue
		}
		if plain(ending) || ending == ".geojson" && HasWord(said, "geometry", "point", "polygon") {
			return "", "", false // the lexicon has a short one
		}
		if text := v.Samples.Text(ending); text != "" && isText(text) {
			return kindOfDocument(ending), text, true
		}
	}
	return "", "", false
}

// takesDocument reports whether a parameter takes the text of a document, and not the name
// of a file or of a format.
func takesDocument(s sense, known bool, names, said []string) bool {
	if HasWord(names, "path", "file", "filename", "filepath", "url", "uri", "format", "type", "id", "kind", "extension", "as", "from", "to") {
		return false
	}
	switch s.kind {
	case KindData, KindJSON, KindXML, KindMarkup, KindUnknown:
		return true
	case KindText:
		return s.weak
	}
	return !known || s.kind == KindName && s.weak && HasWord(said, "text", "content", "contents", "document", "source", "data")
}

// plain reports whether the lexicon has a shorter text in a format.
func plain(ending string) bool {
	return slices.Contains([]string{".json", ".yaml", ".csv", ".tsv", ".xml", ".html", ".md", ".svg", ".py", ".js", ".ts", ".log"}, ending)
}

// HoldsDocument reports whether a name is one of what a tool works on, such as document.
func HoldsDocument(name string) bool { return holdsDocument(Words(name)) }

// holdsDocument reports whether a parameter is called like what a tool works on: the text of
// load_csv.
func holdsDocument(names []string) bool {
	return len(names) == 1 && HasWord(names, "text", "content", "contents", "document", "data", "input", "body", "source")
}

func kindOfDocument(ending string) Kind {
	switch ending {
	case ".geojson", ".har", ".excalidraw":
		return KindJSON
	case ".kml", ".gpx", ".rss", ".drawio":
		return KindXML
	}
	return KindData
}

// isText reports whether a sample can be sent as it is.
func isText(content string) bool {
	return !strings.ContainsRune(content, 0) && strings.ToValidUTF8(content, "") == content
}
