package box

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Each hands every record to fn in order and returns when the sandbox is gone
// and the ring is empty. fn may be slow: the target waits for it. Each must
// have begun before [Box.Stop], and may be called once.
func (b *Box) Each(ctx context.Context, fn func(*wire.Record) error) error {
	if !b.beginReading() {
		return errors.New("the sandbox was stopped before its records were read")
	}
	defer b.endReading()
	alive, begun := 0, false
	for {
		over := isClosed(b.gone)
		r, err := b.reader.Next()
		switch {
		case err != nil:
			return err
		case r != nil:
			if r.Op == wire.OpStart {
				begun = true
				_ = wire.DropPayload(b.ring) // unpacked by now
			}
			alive += change(r.Op)
			if r.Op == wire.OpExport && b.export != nil {
				if err := b.export.take(r); err != nil {
					return err
				}
			}
			if err := fn(r); err != nil {
				return err
			}
			b.handled.Store(b.reader.Taken())
		case over:
			if alive != 0 || !begun {
				b.note(func(e *Exit) { b.died(e, alive) })
			}
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			b.reader.Wait()
		}
	}
}

// change is by how many tasks there are more after a record. The observer
// tells of every task's end, however it ends, so at the end there is none.
func change(op wire.Op) int {
	switch op {
	case wire.OpStart, wire.OpFork:
		return 1
	case wire.OpExit:
		return -1
	}
	return 0
}

// died notes that gVisor's kernel did not see the end of the server: it was
// killed from outside, ran out of memory, or crashed.
func (b *Box) died(e *Exit, alive int) {
	switch {
	case e.Error != "" || e.Limit != "":
	case b.group.outOfMemory():
		e.Limit, e.Max, e.Value = mcpsf.LimitMemory, b.limits.Memory, b.limits.Memory
	case alive == 0:
		e.Error = "the sandbox's kernel ended before anything ran in it"
	default:
		e.Error = fmt.Sprintf("the sandbox's kernel ended while %d tasks were running", alive)
	}
}

func (b *Box) beginReading() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return false
	}
	b.reading = true
	return true
}

func (b *Box) endReading() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reading = false
	b.unmap()
}

// unmap gives the ring back once nobody uses it; the caller holds mu.
func (b *Box) unmap() {
	if b.reader == nil || b.reading || !b.stopped {
		return
	}
	b.totals = b.reader.Totals()
	_ = b.reader.Close()
	b.reader = nil
}

// Totals compares what the kernel began to tell with what it finished.
func (b *Box) Totals() wire.Totals {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reader == nil {
		return b.totals
	}
	return b.reader.Totals()
}
