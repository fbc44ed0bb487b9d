package job

import (
	"bytes"
	"encoding/json"
	"path/filepath"
)

// Task is what the process of a job is told, as one line of JSON.
type Task struct {
	Request Request `json:"request"` // with its variables
	// Archive is the uploaded file, in the directory the process is in.
	Archive string `json:"archive,omitempty"`
	// Output is the directory for what is to be kept.
	Output       string `json:"output"`
	AllowPrivate bool   `json:"allow_private,omitempty"`
}

// Line is what the process of a job says, as lines of JSON. One of the last two
// is the last.
type Line struct {
	Progress *Progress `json:"progress,omitempty"`
	// Event is one of the trace.
	Event json.RawMessage `json:"event,omitempty"`
	Note  string          `json:"note,omitempty"`

	Done   *Result  `json:"done,omitempty"`
	Failed *Problem `json:"failed,omitempty"`
}

// ArchiveName is how the uploaded file is called where it is unpacked: its
// ending tells what it is.
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
