package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// The format of server-sent events. The data of an event is JSON without line
// breaks, so that nothing in it can be taken for a field of the stream.

// stream is an answer of server-sent events. Each piece is flushed at once.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // nginx must not buffer
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

// eventText writes an event. It has an id only if a client may resume after it.
func eventText(name string, data []byte, id string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "event: %s\n", name)
	if id != "" {
		fmt.Fprintf(&b, "id: %s\n", id)
	}
	fmt.Fprintf(&b, "data: %s\n\n", data)
	return b.Bytes()
}

// heartbeatText is a comment line.
func heartbeatText() []byte { return []byte(":\n\n") }

// stateEvent tells the state of a job.
func stateEvent(j *job.Job) []byte {
	return eventText("state", compact(struct {
		State      job.State `json:"state"`
		Attempt    int       `json:"attempt"`
		Cancelling bool      `json:"cancelling,omitempty"`
	}{j.State, j.Attempt, j.Cancelling}), "")
}

// endEvent is the last event: the job as it ended.
func endEvent(j *job.Job) []byte {
	return eventText("end", compact(show(j)), fmt.Sprintf("%d.end", j.Attempt))
}

func compact(v any) []byte {
	text, err := safetext.JSONLine(v)
	if err != nil {
		return []byte("{}") // cannot fail: it is made of strings and numbers
	}
	return bytes.TrimSpace(text)
}

// progressEvents makes events of the lines of a job's process. Only the last has
// an id: a client that has missed one of them gets all of them again.
func progressEvents(lines []byte, at store.Place) []byte {
	type event struct {
		name string
		data []byte
	}
	var events []event
	for line := range bytes.Lines(lines) {
		var message struct {
			Progress json.RawMessage `json:"progress"`
			Event    json.RawMessage `json:"event"`
			Note     json.RawMessage `json:"note"`
		}
		if json.Unmarshal(line, &message) != nil {
			continue // workers write no such line
		}
		for _, e := range []event{{"progress", message.Progress}, {"event", message.Event}, {"note", message.Note}} {
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

// oneLine removes white space between the parts of JSON: the only place where
// valid JSON can have a line break.
func oneLine(data []byte) ([]byte, bool) {
	var b bytes.Buffer
	if len(data) == 0 || json.Compact(&b, data) != nil {
		return nil, false
	}
	return b.Bytes(), true
}

// since is what a client has seen: up to a part of the live events, up to a line
// of the stored events, or everything.
type since struct {
	store.Place

	line  int64
	ended bool
}

var eventID = lazyregexp.New(`^([0-9]{1,9})\.(?:([0-9]{1,18})|e([0-9]{1,18})|(end))$`)

// sinceOf reads a Last-Event-ID. With one that is not ours the client begins at
// the start.
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
