package history

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// This file decides what our own attacks put into a sandbox. A server keeps what
// it is given: an address becomes its setting, a name that of a resource. It is
// ours for the rest of the sandbox, in whichever call it comes up again.

// ours are the values that our attacks sent to the server in the current sandbox.
type ours struct {
	// calls are attacks whose values are not yet in hosts and texts: most are
	// never asked about.
	calls []*Call
	hosts map[string]bool
	// texts are the strings that were sent, by their beginnings.
	texts map[string]string
}

const (
	// textBegin is how much of a text is compared. A shorter one is compared as a
	// whole.
	textBegin = 48
	// leastOurs is the length from which a text is known again.
	leastOurs = 8
	// hugeRequest is the size from which a request is one that tests how much a
	// server bears. What comes back is as huge.
	hugeRequest = 64 << 10
)

// learn adds the payloads of the attacks that were made since it was last
// called. The other arguments may be values that the server proposed.
func (l *Calls) learn() {
	if l.ours.hosts == nil {
		l.ours.hosts, l.ours.texts = map[string]bool{}, map[string]string{}
	}
	for _, c := range l.ours.calls {
		if host := hostname.Canonical(c.Attack.Marker); host != "" {
			l.ours.hosts[host] = true
		}
		for _, host := range hostname.Find(c.Attack.Payload) {
			l.ours.hosts[host] = true
		}
		l.ours.text(c.Attack.Payload)
	}
	l.ours.calls = nil
}

func (o *ours) text(s string) {
	if len(s) >= leastOurs && len(o.texts) < lex.MaxListed {
		o.texts[beginning(s)] = s
	}
}

func beginning(s string) string {
	s = strings.TrimSuffix(s, "…")
	return s[:min(len(s), textBegin)]
}

// AttackedWith tells whether an attack gave the server this host, in this call
// or an earlier one of the sandbox. In ordinary calls nothing is excused by it.
func (l *Calls) AttackedWith(f *event.Fields, host string) bool {
	if host == "" || f.Attack == "" && f.Phase == string(mcpsf.PhaseDrive) {
		return false
	}
	if c := l.ByID[f.Call]; c != nil && c.Attack != nil && len(host) >= leastOurs && strings.Contains(strings.ToLower(c.Attack.Payload), host) {
		return true // the server made a name of a part of the payload
	}
	l.learn()
	return l.ours.hosts[host]
}

// IsOurText tells whether a suspicious text is what an attack sent: it lies
// within the payload of its call, or it is the name of an entry that is called
// like a payload, or lies in it. An entry that is called so has other texts, and
// each is judged by what it says.
func (l *Calls) IsOurText(e *mcpsf.Event) bool {
	d := e.Text
	if d == nil {
		return false
	}
	if c := l.ByID[e.Call]; c != nil && c.Attack != nil {
		if d.What == mcpsf.TextFlood && d.Target == "size" && c.Size >= hugeRequest {
			return true
		}
		if s := strings.TrimSuffix(d.Excerpt, "…"); len(s) >= leastOurs && strings.Contains(c.Attack.Payload, s) {
			return true
		}
	}
	l.learn()
	switch d.Of {
	case "resource", "template", "prompt": // a server may list what it was given
		payload, ours := l.ours.texts[beginning(d.Name)]
		return len(d.Name) >= textBegin && ours && (isName(d.Field) || within(d.Excerpt, payload) || within(d.Excerpt, d.Name))
	}
	return false
}

// isName tells whether the field of an entry is what it is called.
func isName(field string) bool {
	switch field {
	case "", "name", "/name", "uri", "/uri", "uriTemplate", "/uriTemplate":
		return true
	}
	return false
}

// escapes are what an excerpt shows instead of characters that cannot be printed.
var escapes = lazyregexp.New(`\\[uUx]\{?[0-9A-Fa-f]{2,8}\}?|<?U\+[0-9A-Fa-f]{4,6}>?|\\[nrt]|…`)

// within tells whether all that is readable of an excerpt stands in a text.
func within(excerpt, text string) bool {
	pieces := 0
	for _, piece := range escapes.Split(excerpt, -1) {
		if piece = strings.TrimSpace(piece); piece == "" {
			continue
		}
		if !strings.Contains(text, piece) {
			return false
		}
		pieces += len(piece)
	}
	return pieces >= leastOurs
}
