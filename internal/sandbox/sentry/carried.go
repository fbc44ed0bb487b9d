//go:build linux

package sentry

import (
	"context"

	"gvisor.dev/gvisor/pkg/state"
)

// carried connects the files of a kernel with its observer. A snapshot of the kernel has
// it once, and no observer: a copy has one of its own, which takes its place here.
type carried struct {
	observer *observer
	// listened are the ports on which a program has listened; see [localServices].
	listened []uint16
}

// registerState tells gVisor how the files of ours are saved in a snapshot. Its own types
// register themselves; ours do it here.
func registerState() {
	state.Register((*carried)(nil))
	state.Register((*stdioFile)(nil))
	state.Register((*hookedFile)(nil))
}

// StateTypeName implements [state.Type].
func (*carried) StateTypeName() string { return "mcpsf.carried" }

// StateFields implements [state.Type].
func (*carried) StateFields() []string { return []string{"listened"} }

// StateSave implements [state.SaverLoader].
func (c *carried) StateSave(to state.Sink) {
	if c.observer != nil {
		c.listened = c.observer.local.ports()
	}
	to.Save(0, &c.listened)
}

// StateLoad implements [state.SaverLoader].
func (c *carried) StateLoad(_ context.Context, from state.Source) {
	from.Load(0, &c.listened)
}

// StateTypeName implements [state.Type].
func (*stdioFile) StateTypeName() string { return "mcpsf.stdioFile" }

// StateFields implements [state.Type].
func (*stdioFile) StateFields() []string { return []string{"vfsfd", "inner", "owner", "stream"} }

// StateSave implements [state.SaverLoader].
func (s *stdioFile) StateSave(to state.Sink) {
	to.Save(0, &s.vfsfd)
	to.Save(1, &s.inner)
	to.Save(2, &s.owner)
	to.Save(3, &s.stream)
}

// StateLoad implements [state.SaverLoader].
func (s *stdioFile) StateLoad(_ context.Context, from state.Source) {
	from.Load(0, &s.vfsfd)
	from.LoadWait(1, &s.inner)
	from.Load(2, &s.owner)
	from.Load(3, &s.stream)
	from.AfterLoad(func() { s.FileDescriptionImpl = s.inner.Impl() })
}

// StateTypeName implements [state.Type].
func (*hookedFile) StateTypeName() string { return "mcpsf.hookedFile" }

// StateFields implements [state.Type].
func (*hookedFile) StateFields() []string { return []string{"vfsfd", "inner", "rest"} }

// StateSave implements [state.SaverLoader].
func (l *hookedFile) StateSave(to state.Sink) {
	to.Save(0, &l.vfsfd)
	to.Save(1, &l.inner)
	to.Save(2, &l.rest)
}

// StateLoad implements [state.SaverLoader].
func (l *hookedFile) StateLoad(_ context.Context, from state.Source) {
	from.Load(0, &l.vfsfd)
	from.LoadWait(1, &l.inner)
	from.Load(2, &l.rest)
	from.AfterLoad(func() { l.FileDescriptionImpl = l.inner.Impl() })
}
