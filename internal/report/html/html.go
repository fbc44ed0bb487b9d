// Package html writes a run as one self-contained page.
//
// In: a [Run]: the report, its events, the selection and the wording of package
// report. Out: a file without a reference to any other. Style and script are
// inline and pinned by their hashes in a policy that allows nothing else: no
// picture, no font, no request. Every string of a target is text. It is made
// visible and truncated before it reaches the template, and never used in an
// attribute. The page is readable without its script, which only filters, copies
// and changes the colours. The page has at most about five megabytes, whatever
// happened in the run.
package html

import (
	"fmt"
	"io"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/flows"
)

// Run is the input of the page. Its strings may come from the target.
type Run struct {
	Report *mcpsf.Report
	Events []mcpsf.Event
	// Summary is the verdict in one or two sentences.
	Summary string
	// Stderr is the end of the server's output, nil if the run was complete.
	Stderr *Output
	// Findings are the most severe first.
	Findings []Block
	// Groups are the timeline with similar events folded; Hidden counts the
	// calls that are not in it.
	Groups []Group
	Hidden int
	// Advisories are the most severe first; Lookup says what is known about them.
	Advisories []mcpsf.Advisory
	Lookup     Lookup
	// Flows is nil unless the server alone makes a toxic flow.
	Flows *flows.Graph
	// Consulted says how a model was asked for its opinion, "" if none was.
	Consulted string
	Words     Words
}

// Lookup says in sentences what is known of published vulnerabilities, and which
// databases were queried. Unsure is set if there may be more.
type Lookup struct {
	Sentences []string
	Unsure    bool
	Sources   []LookupSource
}

// LookupSource is a database of advisories, and whether it is too old.
type LookupSource struct {
	Text  string
	Stale bool
}

// Output is the end of what the server or its installation wrote. It may have no
// lines.
type Output struct {
	Title string
	Lines []string
}

// Block is a set of findings that are shown together. It is never empty.
type Block struct {
	Findings []mcpsf.Finding
	// Message is that of the first finding; Others are what else it applies to.
	Message  string
	Others   []string
	Evidence []int64
	// Places are the places in the package, for static findings.
	Places []string
	// Reproduce is the call in readable form.
	Reproduce string
}

// Group is what one call caused, a run of similar calls, or a phase without calls.
type Group struct {
	Phase mcpsf.Phase
	// Call is the first call, and Last the last one of a run, else "".
	Call, Last string
	Rows       []Row
	// Folded says in words what is not shown.
	Folded []string
	// Total counts all observations.
	Total int64
}

// Row is one event of a group.
type Row struct {
	Event *mcpsf.Event
	Count int64
	// Timeless hides a time that would be out of order.
	Timeless bool
}

// Words are the texts that all formats share.
type Words struct {
	// Clean makes a string one line, with everything hidden in it visible.
	Clean func(string) string
	// Indent formats valid JSON, with everything hidden in it escaped.
	Indent func([]byte) string
	// Describe says what an event is in a verb and a few words.
	Describe func(*mcpsf.Event) (verb, what string)
	// Loud tells whether an event gets a line of its own.
	Loud    func(*mcpsf.Event) bool
	Size    func(int64) string
	Seconds func(float64) string
	// Spent says how much a model was used.
	Spent func(*mcpsf.ModelUsage) string
	// Amount writes a limit in its unit.
	Amount func(n int64, unit string) string
}

// Write writes the page.
func Write(w io.Writer, run *Run) error {
	page, err := newPage(run)
	if err != nil {
		return fmt.Errorf("drawing the page: %w", err)
	}
	t, err := templates()
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, "page", page)
}
