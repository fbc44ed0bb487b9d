package report

import (
	"bytes"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/encode"
)

// reportLine is report.json with what tells the lines apart.
type reportLine struct {
	Type  string `json:"type"`
	RunID string `json:"run_id"`
	*mcpsf.Report
}

// eventLine is a line of events.jsonl with the run it belongs to and the time
// of day, which readers of logs sort by.
type eventLine struct {
	Type  string `json:"type"`
	RunID string `json:"run_id"`
	Time  string `json:"time,omitempty"`
	*mcpsf.Event
}

// writeJSONL writes the contract as lines, for what reads logs: one for the
// report, then one for each event. Nothing is cut.
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
