package llm

import (
	"net/http"
	"strings"
)

// fit lists what a server rejects, so that it is not sent. Servers with the
// same API differ in what they support.
type fit struct {
	noSeed        bool
	noTemperature bool
	noUsage       bool // stream_options
	otherLimit    bool // the other of max_tokens and max_completion_tokens
	noLimit       bool
	noThinking    bool // reasoning_effort "none": tools and thinking exclude each other
	responses     bool // tools work only with the provider's Responses API
	plainSchemas  bool // schemas are reduced to names and types
	shortWords    bool // descriptions are cut
	fewTools      bool // only the first ones are offered
}

func (f fit) with(g fit) fit {
	return fit{
		noSeed: f.noSeed || g.noSeed, noTemperature: f.noTemperature || g.noTemperature, noUsage: f.noUsage || g.noUsage,
		otherLimit: f.otherLimit || g.otherLimit, noLimit: f.noLimit || g.noLimit,
		noThinking: f.noThinking || g.noThinking, responses: f.responses || g.responses,
		plainSchemas: f.plainSchemas || g.plainSchemas, shortWords: f.shortWords || g.shortWords, fewTools: f.fewTools || g.fewTools,
	}
}

// cutTools reduces the tools if the server's error says what is wrong with
// them. Otherwise a target could keep a model from being asked at all.
func cutTools(f *fit, e *Error) bool {
	switch {
	case e.names("description"):
		return set(&f.shortWords)
	case e.names("schema") || e.names("input_schema") || e.names("parameters"):
		return set(&f.plainSchemas)
	case e.names("tools") && (hasWord(e.said, "too long") || hasWord(e.said, "too many") || hasWord(e.said, "maximum") || hasWord(e.said, "at most")):
		return set(&f.fewTools)
	}
	return false
}

// without names what of an ask was not sent.
func (f fit) without(a *Ask) []string {
	var names []string
	for _, p := range []struct {
		name string
		left bool
	}{
		{"seed", (f.noSeed || f.responses) && a.Seed != 0},
		{"temperature", f.noTemperature && a.Temperature != nil},
		{"max_tokens", f.noLimit},
		{"thinking", f.noThinking && !f.responses && len(a.Tools) > 0},
	} {
		if p.left {
			names = append(names, p.name)
		}
	}
	return names
}

// names says whether the error is about a parameter.
func (e *Error) names(param string) bool {
	if e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity && e.Status != 0 {
		return false
	}
	return e.param == param || hasWord(strings.ToLower(e.said), param)
}

// hasWord finds a name that is not part of a longer one.
func hasWord(s, word string) bool {
	for {
		i := strings.Index(s, word)
		if i < 0 {
			return false
		}
		end := i + len(word)
		if (i == 0 || !nameByte(s[i-1])) && (end == len(s) || !nameByte(s[end])) {
			return true
		}
		s = s[end:]
	}
}

func nameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// set sets a flag; false if it was set already.
func set(b *bool) bool {
	was := *b
	*b = true
	return !was
}
