package llmreview

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// The limits of what a model is shown.
// gap: model-review
const (
	maxAlike     = 3   // findings that are shown together
	maxEvents    = 4   // events of those findings
	maxMessage   = 700 // bytes of a finding's message
	maxEvent     = 600 // bytes of an event
	maxAskBytes  = 24 << 10
	maxQuestions = 8 // findings of an ask
	maxBlocks    = 24
	maxAsks      = 5 // asks about findings, and as many about texts
)

// material is what can be shown of a run.
type material struct {
	questions []question
	texts     []block
	// found are the titles of the rules' findings, and known the words that
	// they rest on.
	found []string
	known []string
	// unasked findings and unshown texts did not fit.
	unasked, unshown int
	accesses         []mcpsf.Access
	seed             uint64
	static           bool
}

// question is a finding, or a few that differ only in their subject.
type question struct {
	// title is our own text.
	title  string
	blocks []block
	// findings are indexes into the report; none for a planted finding.
	findings []int
}

func (q *question) size() int { return sizeOf(q.blocks) }

func sizeOf(blocks []block) int {
	n := 0
	for i := range blocks {
		n += blocks[i].size()
	}
	return n
}

// gather collects what is worth showing.
func gather(r *mcpsf.Report, events []mcpsf.Event) *material {
	m := &material{accesses: r.Accesses, static: r.Coverage.Static, seed: r.Run.Seed}
	named := index(r, events)
	h := newRedactor(r)
	m.collectQuestions(r, named, h)
	m.collectTexts(r, events, h)
	m.collectKnown(r, named)
	return m
}

// index finds the events that findings refer to.
func index(r *mcpsf.Report, events []mcpsf.Event) map[int64]*mcpsf.Event {
	named := make(map[int64]*mcpsf.Event)
	for i := range r.Findings {
		for _, seq := range r.Findings[i].Evidence {
			named[seq] = nil
		}
	}
	for i := range events {
		if _, ok := named[events[i].Seq]; ok {
			named[events[i].Seq] = &events[i]
		}
	}
	return named
}

func (m *material) collectQuestions(r *mcpsf.Report, named map[int64]*mcpsf.Event, h *redactor) {
	type key struct {
		id, tool string
		severity mcpsf.Severity
		grade    mcpsf.Grade
	}
	places := make(map[key]int)
	for i := range r.Findings {
		f := &r.Findings[i]
		k := key{f.ID, f.Tool, f.Severity, f.Grade}
		place, ok := places[k]
		if !ok && len(m.questions) == maxAsks*maxQuestions {
			m.unasked++
			continue
		}
		if !ok {
			place = len(m.questions)
			places[k] = place
			m.questions = append(m.questions, question{title: titleOf(f)})
			m.found = append(m.found, plain(f.Title, maxTitle))
		}
		q := &m.questions[place]
		if len(q.findings) == maxAlike {
			m.unasked++
			continue
		}
		q.findings = append(q.findings, i)
		q.blocks = append(q.blocks, clipped("what was found", saidBy(f), maxMessage, 0, h))
		for _, seq := range f.Evidence {
			if e := named[seq]; e != nil && len(q.blocks) < len(q.findings)+maxEvents {
				q.blocks = append(q.blocks, clipped("an event that it rests on", eventText(e), maxEvent, 0, h))
			}
		}
	}
}

// gap: model-review
const maxTitle = 160

// titleOf is the title of a rule. A stored report may have another title, so it
// is cleaned as well.
func titleOf(f *mcpsf.Finding) string {
	return fmt.Sprintf("%s, %s, %s: %s", plain(f.ID, 60), plain(string(f.Severity), 20), plain(string(f.Grade), 20), plain(f.Title, maxTitle))
}

// saidBy is the message of a finding, which contains words of the target.
func saidBy(f *mcpsf.Finding) string {
	lines := []string{f.Message}
	if f.Explanation != nil && !strings.Contains(f.Message, f.Explanation.Reason) {
		lines = append(lines, "considered: "+f.Explanation.Reason)
	}
	if f.File != "" {
		lines = append(lines, fmt.Sprintf("read in %s, line %d", f.File, f.Line))
	}
	return strings.Join(lines, "\n")
}

// leastSecret is the shortest value that is worth hiding.
const leastSecret = 6

// redactor removes the values that the user configured from what is shown: they
// are the user's, and only the server may have them.
type redactor struct{ replacer *strings.Replacer }

func newRedactor(r *mcpsf.Report) *redactor {
	var pairs []string
	for _, list := range [][]string{r.Declared.Env, r.Target.Env} {
		for _, entry := range list {
			_, value, ok := strings.Cut(entry, "=")
			if !ok || len(value) < leastSecret {
				continue
			}
			const instead = "[a value of the user]"
			pairs = append(pairs, value, instead)
			if escaped, err := json.Marshal(value); err == nil { // the form that it has in events
				pairs = append(pairs, strings.Trim(string(escaped), `"`), instead)
			}
		}
	}
	return &redactor{strings.NewReplacer(pairs...)}
}

func (h *redactor) redact(s string) string { return h.replacer.Replace(s) }
