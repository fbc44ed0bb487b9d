package report

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/atomicfile"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// FileOf returns the file name that [SaveAs] uses for a format.
func FileOf(f Format) string {
	switch f {
	case FormatSummary:
		return "summary.txt"
	case FormatTimeline:
		return "report.txt"
	case FormatMarkdown:
		return "report.md"
	case FormatJUnit:
		return "junit.xml"
	case FormatOCSF:
		return "ocsf.jsonl"
	case FormatCycloneDX:
		return "sbom.cdx.json"
	case FormatSPDX:
		return "sbom.spdx.json"
	}
	return "report." + string(f)
}

// SaveAs writes r in each format to a file of its own in dir, which must exist,
// and returns their names. If one format cannot be written, none is; as with
// [Save], a reader never sees half a file.
func SaveAs(dir string, formats []Format, r *mcpsf.Report, events []mcpsf.Event, style Style) ([]string, error) {
	style.Color, style.Width, style.Unicode = false, 0, true // a file is the same whatever terminal the run had
	written := make([]bytes.Buffer, len(formats))
	for i, f := range formats {
		if err := Write(&written[i], f, r, events, style); err != nil {
			return nil, err
		}
	}
	var names []string
	for i, f := range formats {
		name := filepath.Join(dir, FileOf(f))
		if err := atomicfile.Write(name, written[i].Bytes(), 0o644); err != nil {
			return names, &mcpsf.Error{
				Code:    mcpsf.CodeInternal,
				Message: fmt.Sprintf("cannot write %s; choose another --output directory", safetext.Clean(name)),
				Err:     err,
			}
		}
		names = append(names, name)
	}
	return names, nil
}
