package assesscmd

import (
	"io"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// Service is set if a service runs an assessment for one of its users.
type Service struct {
	Watch Watcher
	// PublicOnly refuses sources in private networks, because the person who
	// names them is not the user of this machine.
	PublicOnly bool
}

// Watcher receives the progress of an assessment instead of the terminal.
type Watcher interface {
	program.Progress
	// Events wraps open so that the written events are also reported.
	Events(open func(runID string) (io.WriteCloser, error)) func(runID string) (io.WriteCloser, error)
}

// assessor runs assessments for a command line.
type assessor struct {
	*program.Program
	// service is nil if the user of this machine runs the command.
	service *Service
}

// progress is where the steps of a run are shown.
func (a *assessor) progress(quiet bool) program.Progress {
	if a.service != nil {
		return a.service.Watch
	}
	return a.NewProgress(quiet)
}
