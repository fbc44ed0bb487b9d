package worker

import (
	"encoding/json"

	"github.com/mcpsf/mcpsf/internal/job"
)

// Task is what the process of a job is told, as one line of JSON.
type Task struct {
	Request job.Request `json:"request"` // with its variables
	// Archive is the uploaded file, in the directory the process is in.
	Archive string `json:"archive,omitempty"`
	// Output is the directory for what is to be kept.
	Output       string `json:"output"`
	AllowPrivate bool   `json:"allow_private,omitempty"`
}

// Line is what the process of a job says, as lines of JSON. One of the last two
// is the last.
type Line struct {
	Progress *job.Progress `json:"progress,omitempty"`
	// Event is one of the trace.
	Event json.RawMessage `json:"event,omitempty"`
	Note  string          `json:"note,omitempty"`

	Done   *job.Result  `json:"done,omitempty"`
	Failed *job.Problem `json:"failed,omitempty"`
}
