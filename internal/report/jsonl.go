package report

import (
	"bytes"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/encode"
)

// reportLine is report.json with a field that tells the lines apart.
type reportLine struct {
	Type  string `json:"type"`
	RunID string `json:"run_id"`
	*mcpsf.Report
}

// eventLine is a line of events.jsonl with its run and the time of day, which
// log readers sort by.
type eventLine struct {
	Type  string `json:"type"`
	RunID string `json:"run_id"`
	Time  string `json:"time,omitempty"`
	*mcpsf.Event
}

// writeJSONL writes the report and each event as one line, for log readers.
// Nothing is truncated.
func writeJSONL(buf *bytes.Buffer, data digest.Data) error {
	r := encode.Complete(data.Report)
	if err := encode.Line(buf, reportLine{Type: "report", RunID: r.Run.ID, Report: r}); err != nil {
		return fmt.Errorf("encoding the report: %w", err)
	}
	for i := range data.Events {
		e := &data.Events[i]
		line := eventLine{Type: "event", RunID: r.Run.ID, Time: encode.Stamp(encode.Moment(r.Run, e.T)), Event: e}
		if err := encode.Line(buf, line); err != nil {
			return fmt.Errorf("encoding event %d: %w", e.Seq, err)
		}
	}
	return nil
}
