package job

import (
	"bytes"
	"encoding/json"
	"path/filepath"
)

// MaxLine is the longest line of a job's process, in bytes.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const MaxLine = 4 << 20

// Task is the input of a job's process, as one line of JSON.
type Task struct {
	Request Request `json:"request"` // with the values of variables
	// Archive is the uploaded file, in the working directory of the process.
	Archive string `json:"archive,omitempty"`
	// Output is the directory for the files of the run.
	Output       string `json:"output"`
	AllowPrivate bool   `json:"allow_private,omitempty"`
}

// Line is a line of a job's process, as JSON. The final line has Done or Failed.
type Line struct {
	Progress *Progress `json:"progress,omitempty"`
	// Event is an event of the trace.
	Event json.RawMessage `json:"event,omitempty"`
	Note  string          `json:"note,omitempty"`

	Done   *Result  `json:"done,omitempty"`
	Failed *Problem `json:"failed,omitempty"`
}

// ArchiveName is a safe file name for the uploaded archive. It keeps the suffix,
// which is the type.
func ArchiveName(name string) string {
	safe := []byte(filepath.Base(name))
	for i, b := range safe {
		if (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') && (b < '0' || b > '9') && b != '.' && b != '-' && b != '_' {
			safe[i] = '_'
		}
	}
	if safe = bytes.TrimLeft(safe, ".-"); len(safe) > 100 {
		safe = safe[len(safe)-100:]
	}
	if len(safe) == 0 {
		return "archive"
	}
	return string(safe)
}
