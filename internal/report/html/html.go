// Package html writes a run as one page that needs nothing beside it.
//
// In comes a [Run]: the report, its events, what package report decided to show
// of them, and its words. Out goes a file without a single reference to another:
// style and script stand in it and are pinned by their hashes in a policy that
// allows nothing else, no picture, no font, no request. Everything a target
// chose is text, made visible and cut to size before it reaches the template;
// none of it ever stands in an attribute. The page can be read without its
// script, which only filters, copies and changes the colours. However much
// happened in the run, the page has about five megabytes at most.
package html

import (
	"fmt"
	"io"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/flows"
)

// Run is what the page is made of. Its strings may come from the target.
type Run struct {
	Report *mcpsf.Report
	Events []mcpsf.Event
	// Summary is the verdict in one or two sentences.
	Summary string
	// Stderr is the end of what the server wrote, nil if the run was complete.
	Stderr *Output
	// Findings are the most severe first.
	Findings []Block
	// Groups are the timeline as it is folded; Hidden counts the calls that are
	// not in it.
	Groups []Group
	Hidden int
	// Advisories are the worst first, and Lookup is what can be said of them.
	Advisories []mcpsf.Advisory
	Lookup     Lookup
	// Flows is nil unless the server makes one by itself.
	Flows *flows.Graph
	// Consulted says how a model was asked for its opinion, "" if none was.
	Consulted string
	Words     Words
}

// Lookup is what is known of published weaknesses, in sentences, and what they
// were looked up in. Unsure is set if what was not found may be there.
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

// Output is the end of what the server or its installation wrote. There may be
// no lines.
type Output struct {
	Title string
	Lines []string
}

// Block is findings that are told together. It is never empty.
type Block struct {
	Findings []mcpsf.Finding
	// Message is that of the first finding; Others are what else it holds for.
	Message  string
	Others   []string
	Evidence []int64
	// Places are where in the package it was read, for what did not happen in
	// the run.
	Places []string
	// Reproduce is the call as people say it.
	Reproduce string
}

// Group is what one call caused, a run of calls alike, or a phase without calls.
type Group struct {
	Phase mcpsf.Phase
	// Call is the first call and Last the last one of a run, else "".
	Call, Last string
	Rows       []Row
	// Folded says what is not shown, in words.
	Folded []string
	// Total counts all observations.
	Total int64
}

// Row is one event of a group.
type Row struct {
	Event *mcpsf.Event
	Count int64
	// Timeless leaves out a time that would run backwards.
	Timeless bool
}

// Words are what all formats say alike.
type Words struct {
	// Clean makes one line of a string, with everything hidden in it visible.
	Clean func(string) string
	// Indent lays out valid JSON, with everything hidden in it escaped.
	Indent func([]byte) string
	// Describe says what an event is in a verb and a few words.
	Describe func(*mcpsf.Event) (verb, what string)
	// Loud tells whether an event deserves a line of its own.
	Loud    func(*mcpsf.Event) bool
	Size    func(int64) string
	Seconds func(float64) string
	// Spent words what a model took.
	Spent func(*mcpsf.ModelUsage) string
	// Amount words a limit in its unit.
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
