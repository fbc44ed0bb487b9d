package attack

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
)

const classPollution = "prototype-pollution"

func prototypePollution() Class {
	return Class{
		ID:    classPollution,
		Title: "A value changes what all objects of the server inherit",
		Yield: func(p Place) int {
			if p.Type == "object" {
				return 45
			}
			return kinds{"json": 50}.about(prose(30),
				"key", "property", "setting", "field", "option", "change", "patch", "merge", "json", "object", "preference", "profile", "metadata")(p)
		},
		Payloads: pollutionPayloads,
		Balanced: 8,
		Paired:   true,
	}
}

// pollutionPayloads come in pairs: a value that pollutes, then the ordinary
// value, whose answer shows the polluted property that this call did not
// contain.
func pollutionPayloads(w *World, p Place) []Payload {
	usual := p.usual()
	var all []Payload
	for _, f := range []struct {
		why string
		way []string
	}{
		{"prototype as a member", []string{"__proto__"}},
		{"prototype of the constructor", []string{"constructor", "prototype"}},
		{"prototype as a member of a member", []string{"a", "__proto__"}},
		{"class of the object", []string{"__class__"}},
	} {
		name := w.Word("pollution", len(all))
		text := nested(name, f.way)
		var value any = text
		switch {
		case p.structured():
			value = json.RawMessage(text)
		case p.Kind != "json" && !p.mentions("json", "object") && p.mentions("key", "property", "field", "dotted"):
			value = strings.Join(append(f.way, name), ".")
		}
		// The first payload proves nothing by itself: a server that repeats the
		// value also shows the name.
		all = append(all, Payload{Value: value, Sign: mcpsf.SignAnswer, Why: f.why})
		all = append(all, Payload{Value: usual, Sign: mcpsf.SignAnswer, Marker: name, Why: f.why + ", seen in the next call"})
	}
	return all
}

// usual is a harmless value of the sort that servers merge.
func (p Place) usual() json.RawMessage {
	switch {
	case !json.Valid(p.Value):
		return json.RawMessage("{}")
	case !p.structured() && (p.Kind == "json" || p.mentions("json")):
		if text := strings.TrimSpace(p.text()); !strings.HasPrefix(text, "{") || !json.Valid([]byte(text)) {
			return json.RawMessage(`"{}"`)
		}
	}
	return p.Value
}

// nested returns a JSON object with the name as its innermost member and an id
// beside it. A server whose objects all inherit that id answers our
// notifications with it.
func nested(name string, way []string) string {
	return `{"` + strings.Join(append(way, name), `":{"`) + `":"` + name + `","id":"` + name + `"` + strings.Repeat("}", len(way)+1)
}

// inherited reports whether an answer shows the name without the path that was
// sent with it: a server that only repeats or stores the value shows both.
func inherited(answer []byte) bool {
	return !bytes.Contains(answer, []byte("__proto__")) && !bytes.Contains(answer, []byte("prototype")) &&
		!bytes.Contains(answer, []byte("__class__"))
}
