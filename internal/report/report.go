package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Format names a way to write a report.
type Format string

// The formats.
const (
	// FormatSummary fits on one screen; FormatTimeline tells everything.
	FormatSummary  Format = "summary"
	FormatTimeline Format = "timeline"
	FormatJSON     Format = "json"
	FormatHTML     Format = "html"
	FormatJSONL    Format = "jsonl"
	FormatSARIF    Format = "sarif"
	FormatMarkdown Format = "markdown"
	FormatJUnit    Format = "junit"
	FormatOCSF     Format = "ocsf"
	// FormatCycloneDX and FormatSPDX list what the server consists of.
	FormatCycloneDX Format = "cyclonedx"
	FormatSPDX      Format = "spdx"
)

// Style is what the reader wants to see, and what the terminal can show.
type Style struct {
	// Color allows escape sequences; without it none is written.
	Color bool
	// Width is in cells; 0 means 80.
	Width int
	// Unicode allows characters beyond ASCII. Without it those of the target
	// are escaped as well.
	Unicode bool
	// Explain adds what the server used, each with the reason why it was allowed.
	Explain bool
	// Dir is where report.json and events.jsonl were written, to tell the
	// reader; "" leaves that out.
	Dir string
	// FailOn is from which severity on a finding fails a build, for the formats
	// that tell failures from the rest; "never" for none, "" for medium.
	FailOn string
}

// All lists the formats.
func All() []Format {
	var names []Format
	for _, f := range formats() {
		names = append(names, f.name())
	}
	return names
}

// Write writes r in format f. The events are those of the whole run, in order.
func Write(w io.Writer, f Format, r *mcpsf.Report, events []mcpsf.Event, style Style) error {
	if r == nil {
		return errors.New("writing a report: there is none")
	}
	for _, format := range formats() {
		if format.name() != f {
			continue
		}
		var buf bytes.Buffer
		if err := format.write(&buf, document{report: r, events: events, style: style}); err != nil {
			return fmt.Errorf("writing the report as %s: %w", f, err)
		}
		if _, err := w.Write(buf.Bytes()); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		return nil
	}
	return unknown(f)
}

// format is one way to write a document. A new one is a file with a type that
// has these methods and a line in formats.
type format interface {
	name() Format
	write(buf *bytes.Buffer, doc document) error
}

// document is everything a format may use.
type document struct {
	report *mcpsf.Report
	events []mcpsf.Event
	style  Style
}

func formats() []format {
	return []format{
		screenFormat{}, timeline{}, jsonFormat{}, htmlFormat{}, jsonlFormat{}, sarif{}, markdown{}, junit{}, ocsf{}, cycloneDX(), spdx(),
	}
}

func unknown(f Format) error {
	var names []string
	for _, name := range All() {
		names = append(names, string(name))
	}
	return &mcpsf.Error{
		Code:    mcpsf.CodeUsage,
		Message: fmt.Sprintf("unknown format %q; use one of: %s", string(f), strings.Join(names, ", ")),
	}
}
