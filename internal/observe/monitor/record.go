package monitor

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Record takes the next record of the kernel. One goroutine calls it, in the
// order of the ring. After the server wrote to stdout or stderr it waits until
// the driver has consumed those bytes, so that the messages in them are known
// before any later record is handled.
//
// An error means that the stream cannot be trusted (a gap, an unknown
// operation, ctx ended while bytes were outstanding): the run is inconclusive.
// Further calls are allowed.
func (m *Monitor) Record(ctx context.Context, r *wire.Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.conv.closed {
		return errors.New("monitor: record after the end")
	}
	if r == nil || r.Op == 0 || r.Op > wire.OpExport {
		return errors.New("monitor: record with an unknown operation")
	}
	if r.Seq <= m.log.totals.LastSeq {
		return fmt.Errorf("monitor: record %d came after record %d", r.Seq, m.log.totals.LastSeq)
	}
	missing := r.Seq - m.log.totals.LastSeq - 1
	m.log.totals.LastSeq = r.Seq
	m.log.totals.Records++
	m.log.clock = r.Nanos

	var gap error
	if missing > 0 {
		m.log.totals.Gaps++
		m.log.totals.Missing += missing
		gap = fmt.Errorf("monitor: %d records are missing before record %d", missing, r.Seq)
		m.log.note(mcpsf.KindSandboxError, gap.Error())
	}
	if r.Op == wire.OpExport {
		return gap // not an action of the target
	}
	if len(m.network.flows.waiting) > 0 {
		m.network.settleTraffic(r.Nanos)
		m.log.clock = r.Nanos
	}
	// A label names bytes that were read, even if the record of that read is
	// still on its way from another task.
	m.conv.advance(mcpsf.Stdin, offset(r.Epoch), nil)
	m.env.interrupt(r)
	if r.Op == wire.OpStdio {
		return errors.Join(gap, m.conv.stdio(ctx, r))
	}
	m.dispatch(m.attr.originOf(r), r)
	if m.log.overflows() {
		return errors.Join(gap, errors.New("monitor: the target did more than can be written down"))
	}
	return gap
}

func (m *Monitor) dispatch(o *origin, r *wire.Record) {
	if r.Op == wire.OpStat && r.Text == "planted" {
		m.decoys.plantedAt(cleanPath(r.Path), inode{r.Dev, r.Ino})
		return
	}
	switch r.Op {
	case wire.OpStart, wire.OpExec:
		m.processes.exec(o, r)
	case wire.OpFork:
		m.processes.fork(o, r)
	case wire.OpExit:
		m.processes.exit(o, r)
	case wire.OpName:
		m.processes.name(o, r)
	case wire.OpOpen:
		m.files.open(o, r)
	case wire.OpRead:
		m.files.transfer(o, r, mcpsf.KindFileRead)
	case wire.OpWrite:
		m.files.transfer(o, r, mcpsf.KindFileWrite)
	case wire.OpWritten:
		m.files.written(o, r)
	case wire.OpTruncate, wire.OpDelete, wire.OpRename, wire.OpLink,
		wire.OpChmod, wire.OpCreate, wire.OpStat:
		m.files.change(o, r)
	case wire.OpConnect, wire.OpListen, wire.OpSend:
		m.network.record(o, r)
	case wire.OpTransmit:
		m.network.noteUse(o, r, 0)
	case wire.OpPrivilege:
		m.attempts.privilege(o, r)
	case wire.OpProbe:
		m.attempts.probe(o, r)
	case wire.OpEnv:
		m.env.environ(o, r)
	case wire.OpRan:
		m.log.ran(r.Text)
	case wire.OpSleep:
		m.sleepers.sleep(r)
	case wire.OpLimit:
		m.log.limit(o, mcpsf.LimitDetail{
			Name: r.Text, Limit: offset(r.Total), Value: r.N, Action: r.Asked,
		})
	}
}
