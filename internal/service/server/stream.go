package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// What a stream consists of. An event's data is JSON without a line break of
// any kind, so that nothing in it can be taken for the stream's own words.

// stream is an answer of server-sent events. Each piece is sent at once.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy before us is not to wait for more
	return &stream{w: w, control: http.NewResponseController(w)}
}

func (s *stream) send(text []byte) error {
	if len(text) > 0 {
		if _, err := s.w.Write(text); err != nil {
			return err
		}
	}
	return s.control.Flush()
}

// eventText writes an event. It has no id unless the client may go on after it.
func eventText(name string, data []byte, id string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "event: %s\n", name)
	if id != "" {
		fmt.Fprintf(&b, "id: %s\n", id)
	}
	fmt.Fprintf(&b, "data: %s\n\n", data)
	return b.Bytes()
}

// beatText is a sign of life.
func beatText() []byte { return []byte(":\n\n") }

// stateOf tells what state a job is in.
func stateOf(j *job.Job) []byte {
	return eventText("state", compact(struct {
		State      job.State `json:"state"`
		Attempt    int       `json:"attempt"`
		Cancelling bool      `json:"cancelling,omitempty"`
	}{j.State, j.Attempt, j.Cancelling}), "")
}

// endOf tells that nothing more comes, and what became of the job.
func endOf(j *job.Job) []byte {
	return eventText("end", compact(show(j)), fmt.Sprintf("%d.end", j.Attempt))
}

func compact(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return []byte("{}") // it is made of strings and numbers
	}
	return text
}

// toldText makes events of lines that a job told. Only the last has an id: who
// has missed one of them gets all of them again.
func toldText(lines []byte, at store.Place) []byte {
	type event struct {
		name string
		data []byte
	}
	var events []event
	for line := range bytes.Lines(lines) {
		var said struct {
			Progress json.RawMessage `json:"progress"`
			Event    json.RawMessage `json:"event"`
			Note     json.RawMessage `json:"note"`
		}
		if json.Unmarshal(line, &said) != nil {
			continue // a worker writes no such line
		}
		for _, e := range []event{{"progress", said.Progress}, {"event", said.Event}, {"note", said.Note}} {
			if data, ok := oneLine(e.data); ok {
				events = append(events, event{e.name, data})
			}
		}
	}
	var b bytes.Buffer
	for i, e := range events {
		id := ""
		if i == len(events)-1 {
			id = fmt.Sprintf("%d.%d", at.Attempt, at.Part)
		}
		b.Write(eventText(e.name, e.data, id))
	}
	return b.Bytes()
}

// oneLine writes JSON without anything between its parts. Whoever wrote it, a
// line break in it can only stand there.
func oneLine(data []byte) ([]byte, bool) {
	var b bytes.Buffer
	if len(data) == 0 || json.Compact(&b, data) != nil {
		return nil, false
	}
	return b.Bytes(), true
}

// since is what a client has seen: up to a part of what a job told, up to a line
// of its events, or all.
type since struct {
	store.Place

	line  int64
	ended bool
}

var eventID = regexp.MustCompile(`^([0-9]{1,9})\.(?:([0-9]{1,18})|e([0-9]{1,18})|(end))$`)

// sinceOf reads the id of an event of ours. From another one the client begins
// anew.
func sinceOf(id string) since {
	m := eventID.FindStringSubmatch(id)
	if m == nil {
		return since{}
	}
	var s since
	s.Attempt, _ = strconv.Atoi(m[1])
	s.Part, _ = strconv.ParseInt(m[2], 10, 64)
	s.line, _ = strconv.ParseInt(m[3], 10, 64)
	s.ended = m[4] != ""
	return s
}
