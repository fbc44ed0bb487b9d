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
// the harness has consumed those bytes, so that the messages in them are known
// before anything that came later is looked at.
//
// An error means that the stream cannot be trusted (a gap, an operation that
// does not exist, ctx ended while bytes were outstanding): the run is
// inconclusive. Going on afterwards is allowed.
func (m *Monitor) Record(ctx context.Context, r *wire.Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errors.New("monitor: record after the end")
	}
	if r == nil || r.Op == 0 || r.Op > wire.OpExport {
		return errors.New("monitor: record with an unknown operation")
	}
	if r.Seq <= m.totals.LastSeq {
		return fmt.Errorf("monitor: record %d came after record %d", r.Seq, m.totals.LastSeq)
	}
	missing := r.Seq - m.totals.LastSeq - 1
	m.totals.LastSeq = r.Seq
	m.totals.Records++
	m.clock = r.Nanos

	var gap error
	if missing > 0 {
		m.totals.Gaps++
		m.totals.Missing += missing
		gap = fmt.Errorf("monitor: %d records are missing before record %d", missing, r.Seq)
		m.note(mcpsf.KindSandboxError, gap.Error())
	}
	if r.Op == wire.OpExport {
		return gap // nothing the target did
	}
	if len(m.flows.waiting) > 0 {
		m.settleTraffic(r.Nanos)
		m.clock = r.Nanos
	}
	// A label names bytes that were read, even if the record of that very
	// read is still on its way from another task.
	m.reach(mcpsf.Stdin, offset(r.Epoch), nil)
	m.interrupt(r)
	if r.Op == wire.OpStdio {
		return errors.Join(gap, m.stdio(ctx, r))
	}
	m.dispatch(m.originOf(r), r)
	if m.totals.Events > hardCap*m.opts.MaxEvents || m.written > hardCap*m.opts.MaxText {
		return errors.Join(gap, errors.New("monitor: the target did more than can be written down"))
	}
	return gap
}

// hardCap is how far beyond what is kept of little things the great ones may
// go before the run has to end.
const hardCap = 6

func (m *Monitor) dispatch(o *origin, r *wire.Record) {
	if r.Op == wire.OpStat && r.Text == "planted" {
		m.decoys.plantedAt(cleanPath(r.Path), inode{r.Dev, r.Ino})
		return
	}
	switch r.Op {
	case wire.OpStart, wire.OpExec:
		m.exec(o, r)
	case wire.OpFork:
		m.fork(o, r)
	case wire.OpExit:
		m.exit(o, r)
	case wire.OpName:
		m.name(o, r)
	case wire.OpOpen:
		m.open(o, r)
	case wire.OpRead:
		m.transfer(o, r, mcpsf.KindFileRead)
	case wire.OpWrite:
		m.transfer(o, r, mcpsf.KindFileWrite)
	case wire.OpWritten:
		m.leaksInFile(o, r)
	case wire.OpTruncate, wire.OpDelete, wire.OpRename, wire.OpLink,
		wire.OpChmod, wire.OpCreate, wire.OpStat:
		m.change(o, r)
	case wire.OpConnect, wire.OpListen, wire.OpSend:
		m.network(o, r)
	case wire.OpTransmit:
		m.speaks(o, r, 0)
	case wire.OpPrivilege:
		m.privilege(o, r)
	case wire.OpProbe:
		m.probe(o, r)
	case wire.OpEnv:
		m.environ(o, r)
	case wire.OpSleep:
		m.sleep(r)
	case wire.OpLimit:
		m.limit(o, mcpsf.LimitDetail{
			Name: r.Text, Limit: offset(r.Total), Value: r.N, Action: r.Asked,
		})
	}
}
