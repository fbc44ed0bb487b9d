package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpsf/mcpsf"
)

// jsonlFormat writes the contract as lines, for what reads logs: one for the
// report, then one for each event. Nothing is cut.
type jsonlFormat struct{}

var _ format = jsonlFormat{}

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

func (jsonlFormat) name() Format { return FormatJSONL }

func (jsonlFormat) write(buf *bytes.Buffer, doc document) error {
	r := complete(doc.report)
	if err := jsonLine(buf, reportLine{Type: "report", RunID: r.Run.ID, Report: r}); err != nil {
		return fmt.Errorf("encoding the report: %w", err)
	}
	for i := range doc.events {
		e := &doc.events[i]
		line := eventLine{Type: "event", RunID: r.Run.ID, Time: stamp(moment(r.Run, e.T)), Event: e}
		if err := jsonLine(buf, line); err != nil {
			return fmt.Errorf("encoding event %d: %w", e.Seq, err)
		}
	}
	return nil
}

// jsonLine writes v on one line. What a terminal would act on is escaped, as in
// report.json.
func jsonLine(buf *bytes.Buffer, v any) error {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	src := raw.Bytes() // ends with the line
	for i := 0; i < len(src); {
		if src[i] == '"' {
			i += quoted(buf, src[i:])
			continue
		}
		buf.WriteByte(src[i])
		i++
	}
	return nil
}

// longest is how many seconds a run is believed to have taken. A stored report
// may claim any number.
const longest = 366 * 24 * 3600

// moment is the time of day at which a run was so many seconds old; zero if it
// is not known when the run began.
func moment(r mcpsf.Run, seconds float64) time.Time {
	if r.Started.IsZero() || !(seconds >= 0 && seconds <= longest) { // also NaN
		return r.Started
	}
	return r.Started.Add(time.Duration(seconds * float64(time.Second)))
}

// stamp writes a time as RFC 3339 has it, "" if there is none.
func stamp(t time.Time) string {
	t = t.UTC()
	if t.IsZero() || t.Year() < 1 || t.Year() > 9999 {
		return ""
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}
