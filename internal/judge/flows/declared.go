package flows

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxName bounds the tool names that are looked up in the source: a report may
// come from anyone, and there may be millions of places.
// no gap: what is larger is taken to allow anything
const maxName = 4096

// found adds the roles that findings about attacks and decoys prove. A server does not
// need what it does under attack, but an attacker can make an agent do it.
func (r *reader) found(f *mcpsf.Finding) {
	if f.Tool == "" || f.Grade != mcpsf.GradeProved {
		return
	}
	e := Evidence{Why: "an attack worked: " + f.Title, Finding: f.ID}
	if len(f.Evidence) > 0 {
		e.Event = f.Evidence[0]
	}
	switch f.ID {
	case "os-command-injection", "code-injection", "insecure-deserialization":
		r.trait(f.Tool, Untrusted, KindCommand, Open, e)
		r.trait(f.Tool, Private, KindCommand, Seen, e)
		r.trait(f.Tool, Out, KindCommand, Open, e)
	case "ssrf", "ssrf-unrestricted-fetch":
		r.trait(f.Tool, Untrusted, KindAddress, Open, e)
		r.trait(f.Tool, Out, KindAddress, Open, e)
	case "path-traversal", "path-traversal-unauthenticated", "ssrf-file-url", "xxe":
		r.trait(f.Tool, Private, KindFile, Seen, e)
	case "sql-injection", "query-injection":
		r.trait(f.Tool, Private, KindDatabase, Seen, e)
	case "secret-in-result":
		e.Why = f.Title
		r.trait(f.Tool, Private, KindSecret, Seen, e)
	}
}

// claims adds what tools state about themselves, where nothing stronger is known.
func (r *reader) claims() {
	for i := range r.report.Session.Tools {
		t := &r.report.Session.Tools[i]
		var hints map[string]json.RawMessage
		if t.Name == "" || json.Unmarshal(t.Annotations, &hints) != nil || string(hints["openWorldHint"]) != "true" {
			continue
		}
		e := Evidence{Why: "it says that it deals with an open world (openWorldHint)"}
		r.claim(t.Name, Untrusted, KindClaim, e)
		if string(hints["readOnlyHint"]) != "true" {
			e.Why += " and changes something there"
			r.claim(t.Name, Out, KindClaim, e)
		}
	}
}

// source adds what the source of a tool can do, if the run does not show what it
// does.
func (r *reader) source() {
	if r.report.Inspection == nil {
		return
	}
	for i := range r.report.Inspection.Capabilities {
		a := &r.report.Inspection.Capabilities[i]
		for j := range a.Places {
			for _, name := range a.Places[j].Tools {
				if name == "" || len(name) > maxName {
					continue
				}
				if t := r.index[name]; t != nil && t.State != StateSeen {
					r.able(name, a.Kind, &a.Places[j])
				}
			}
		}
	}
}

func (r *reader) able(tool string, power mcpsf.CapabilityKind, at *mcpsf.CodePlace) {
	e := Evidence{Why: fmt.Sprintf("its source calls %s at %s:%d", at.Name, at.Path, at.Line), File: at.Path, Line: at.Line}
	switch power {
	case mcpsf.CapabilityNetwork:
		r.claim(tool, Untrusted, KindSource, e)
		if r.text[tool].any {
			r.claim(tool, Out, KindSource, e)
		}
	case mcpsf.CapabilityFiles:
		if readsFiles(at.Name) {
			r.claim(tool, Private, KindSource, e)
		}
	case mcpsf.CapabilityCredential:
		r.claim(tool, Private, KindSource, e)
	case mcpsf.CapabilityExec:
		if r.text[tool].any {
			r.claim(tool, Out, KindSource, e)
		}
	}
}

// readsFiles tells whether a call returns a file's content, and does not only
// create, move or delete it.
func readsFiles(call string) bool {
	call = strings.ToLower(call)
	return strings.Contains(call, "read") || call == "open" || strings.HasSuffix(call, ".open")
}

// claim adds a role that was only declared, unless the tool was observed to have it.
func (r *reader) claim(tool string, role Role, kind Kind, e Evidence) {
	if t := r.index[tool]; t == nil || !t.Level(role).Reaches(Seen) {
		r.trait(tool, role, kind, Declared, e)
	}
}
