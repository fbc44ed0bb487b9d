package attack

import (
	"bytes"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

const classMarkup = "markup-injection"

func markupInjection() Class {
	return Class{
		ID:    classMarkup,
		Title: "A value becomes part of markup that the server makes",
		Yield: kinds{
			"markup": 40, "text": 25, "template": 25, "name": 25, "query": 15, "url": 10, "id": 8, "unknown": 10, "email": 8, "path": 5,
		}.of,
		Payloads: markupPayloads,
		Balanced: 1,
	}
}

// markupPayloads are repeated by most tools, which proves nothing in plain
// text. They count only inside markup that the server generates around them.
func markupPayloads(w *World, p Place) []Payload {
	ordinary := p.text()
	var all []Payload
	for i, f := range [][2]string{
		{"<script>§()</script>", "script"},
		{"<img src=x onerror=§()>", "handler of an event"},
		{"\"><svg onload=§()>", "handler of an event after an attribute"},
		{"</textarea></title><iframe srcdoc=§>", "frame"},
		{"<!-- § -->", "comment"},
	} {
		marker := fill(f[0], "", w.Word("markup", i))
		all = append(all, Payload{Value: ordinary + marker, Sign: mcpsf.SignEcho, Marker: marker, Why: f[1]})
	}
	return all
}

var (
	openingTag = lazyregexp.New(`(?i)<(?:!doctype html|(?:html|head|title|body|main|div|span|p|li|ul|ol|dl|dt|dd|h[1-6]|table|tr|td|th|a|article|section|b|i|strong|em|pre|code|label|button|form|svg|text|option)(?:\s[^<>]*)?)>`)
	closingTag = lazyregexp.New(`(?i)</(?:html|head|title|body|main|div|span|p|li|ul|ol|dl|dt|dd|h[1-6]|table|tr|td|th|a|article|section|b|i|strong|em|pre|code|label|button|form|svg|text|option)>`)
)

// Bounds of how much of an answer is searched.
// no gap: bounds payloads and how an answer is compared; attacks show weaknesses, and the profile bounds them
const (
	maxMarkup = 1 << 20
	maxPlaces = 16
)

// within reports whether the marker is between tags that are not part of the
// payload.
func within(text, marker []byte) bool {
	text = text[:min(len(text), maxMarkup)]
	at := 0
	for range maxPlaces {
		i := bytes.Index(text[at:], marker)
		if i < 0 {
			break
		}
		before, after := text[:at+i], text[at+i+len(marker):]
		if openingTag.Match(bytes.ReplaceAll(before, marker, nil)) && closingTag.Match(bytes.ReplaceAll(after, marker, nil)) {
			return true
		}
		at += i + len(marker)
	}
	return false
}
