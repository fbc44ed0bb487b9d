package assesscmd

import (
	"io"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// Service is set if a service has an assessment run for one of its users.
type Service struct {
	Watch Watcher
	// PublicOnly refuses sources in private networks: who names them is not the
	// user of this machine.
	PublicOnly bool
}

// Watcher is told what an assessment does, in place of the terminal.
type Watcher interface {
	program.Progress
	// Events has the events told that are written to what open returns.
	Events(open func(runID string) (io.WriteCloser, error)) func(runID string) (io.WriteCloser, error)
}

// assessor assesses as a command line asks.
type assessor struct {
	*program.Program
	// service is nil if the user of this machine asks.
	service *Service
}

// progress is where the steps of a run are told.
func (a *assessor) progress(quiet bool) program.Progress {
	if a.service != nil {
		return a.service.Watch
	}
	return a.NewProgress(quiet)
}
