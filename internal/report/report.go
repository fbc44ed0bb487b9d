package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/gate"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/encode"
	"github.com/mcpsf/mcpsf/internal/report/junit"
	"github.com/mcpsf/mcpsf/internal/report/markdown"
	"github.com/mcpsf/mcpsf/internal/report/ocsf"
	"github.com/mcpsf/mcpsf/internal/report/sarif"
	"github.com/mcpsf/mcpsf/internal/report/terminal"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/static/sbom"
)

// Format is an output format of a report.
type Format string

// The formats.
const (
	// FormatSummary fits on one screen; FormatTimeline has everything.
	FormatSummary  Format = "summary"
	FormatTimeline Format = "timeline"
	FormatJSON     Format = "json"
	FormatHTML     Format = "html"
	FormatJSONL    Format = "jsonl"
	FormatSARIF    Format = "sarif"
	FormatMarkdown Format = "markdown"
	FormatJUnit    Format = "junit"
	FormatOCSF     Format = "ocsf"
	// FormatCycloneDX and FormatSPDX list the packages of the server.
	FormatCycloneDX Format = "cyclonedx"
	FormatSPDX      Format = "spdx"
)

// Style is what the reader wants to see, and what the terminal can show.
type Style struct {
	// Color allows escape sequences; without it none is written.
	Color bool
	// Width is in cells; 0 means 80.
	Width int
	// Unicode allows characters beyond ASCII. Without it those of the target are
	// escaped as well.
	Unicode bool
	// Explain adds what the server used, each with what explains it.
	Explain bool
	// Dir is where report.json and events.jsonl were written, for the closing
	// line; "" leaves that out.
	Dir string
	// Gate says what fails a build, for formats with failures; nil for findings
	// from medium on.
	Gate *gate.Gate
}

// All lists the formats.
func All() []Format {
	var names []Format
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// Write writes r in format f. The events are those of the whole run, in order.
func Write(w io.Writer, f Format, r *mcpsf.Report, events []mcpsf.Event, style Style) error {
	if r == nil {
		return errors.New("writing a report: there is none")
	}
	for _, format := range formats() {
		if format.name != f {
			continue
		}
		var buf bytes.Buffer
		if err := format.write(&buf, digest.Data{Report: r, Events: events}, style); err != nil {
			return fmt.Errorf("writing the report as %s: %w", f, err)
		}
		out := buf.Bytes()
		if f == FormatSummary || f == FormatTimeline || f == FormatMarkdown || f == FormatJUnit {
			out = safetext.Inert(out) // in these, text of the target can begin a line
		}
		if _, err := w.Write(out); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		return nil
	}
	return unknown(f)
}

// format is one output format.
type format struct {
	name  Format
	write func(buf *bytes.Buffer, data digest.Data, style Style) error
}

// formats lists all formats; a new one is a package and a line here.
func formats() []format {
	plain := func(write func(*bytes.Buffer, digest.Data) error) func(*bytes.Buffer, digest.Data, Style) error {
		return func(buf *bytes.Buffer, data digest.Data, _ Style) error { return write(buf, data) }
	}
	return []format{
		{FormatSummary, func(buf *bytes.Buffer, data digest.Data, s Style) error {
			return terminal.Summary(buf, data, s.terminal())
		}},
		{FormatTimeline, func(buf *bytes.Buffer, data digest.Data, s Style) error {
			return terminal.Timeline(buf, data, s.terminal())
		}},
		{FormatJSON, plain(func(buf *bytes.Buffer, data digest.Data) error { return encode.Report(buf, data.Report) })},
		{FormatHTML, plain(writeHTML)},
		{FormatJSONL, plain(writeJSONL)},
		{FormatSARIF, plain(sarif.Write)},
		{FormatMarkdown, plain(markdown.Write)},
		{FormatJUnit, func(buf *bytes.Buffer, data digest.Data, s Style) error { return junit.Write(buf, data, s.Gate) }},
		{FormatOCSF, plain(ocsf.Write)},
		{FormatCycloneDX, bill(sbom.CycloneDX)},
		{FormatSPDX, bill(sbom.SPDX)},
	}
}

// NewProgress shows the progress of a run on w; live redraws the line in place.
func NewProgress(w io.Writer, style Style, live bool) *terminal.Progress {
	return terminal.NewProgress(w, style.terminal(), live)
}

// terminal returns the part of the style that concerns a terminal.
func (s Style) terminal() terminal.Style {
	return terminal.Style{Color: s.Color, Width: s.Width, Unicode: s.Unicode, Explain: s.Explain, Dir: s.Dir}
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
