package installation

import (
	"os"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
)

// replay appends recorded events.
func replay(file string, log *trace.Log) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	shift := shiftOf(log)
	return trace.Read(f, func(e mcpsf.Event) error {
		log.Append(shift.move(e))
		return nil
	})
}

// shift is the offset in number and time of recorded events that are appended to
// others.
type shift struct {
	seq int64
	t   float64
}

func shiftOf(log *trace.Log) shift {
	events := log.Events()
	if len(events) == 0 {
		return shift{}
	}
	return shift{int64(len(events)), events[len(events)-1].T}
}

func (s shift) move(e mcpsf.Event) mcpsf.Event {
	e.Seq += s.seq
	e.T += s.t
	if e.Cause != 0 {
		e.Cause += s.seq
	}
	return e
}
