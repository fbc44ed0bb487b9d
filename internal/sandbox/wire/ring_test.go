//go:build linux

package wire

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func newPair(t *testing.T) (*Writer, *Reader) {
	t.Helper()
	f, err := NewRing(func(w io.Writer) error { _, err := io.WriteString(w, "payload"); return err })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if err := f.Truncate(0); err == nil {
		t.Fatal("the ring can be shortened under its reader")
	}
	w, err := NewWriter(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	payload, err := MapPayload(int(f.Fd()))
	if err != nil || string(payload) != "payload" {
		t.Fatalf("payload %q, %v", payload, err)
	}
	if err := DropPayload(f); err != nil || payload[0] != 0 {
		t.Fatalf("payload still there: %q, %v", payload, err)
	}
	return w, r
}

// Several times the ring's size passes through it with a reader that pauses now
// and then; nothing is lost or out of order.
func TestRingBlocksInsteadOfDropping(t *testing.T) {
	w, r := newPair(t)
	const records = 40_000
	text := strings.Repeat("x", 1000)
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := range records {
			w.Write(&Record{Op: OpStat, Path: fmt.Sprint(i), Text: text})
		}
	})
	for want := uint64(1); want <= records; {
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if rec == nil {
			r.Wait()
			continue
		}
		if rec.Seq != want || rec.Path != fmt.Sprint(want-1) {
			t.Fatalf("record %d is number %d, path %s", want, rec.Seq, rec.Path)
		}
		if want%10_000 == 0 {
			for r.Totals().Produced < min(want+8_000, records) { // let the ring fill up
				r.Wait()
			}
		}
		want++
	}
	writing.Wait()
	if got := r.Totals(); got != (Totals{records, records}) {
		t.Errorf("totals %+v", got)
	}
}

func TestReaderRefusesNonsense(t *testing.T) {
	for name, spoil := range map[string]func(*Writer){
		"head far ahead":  func(w *Writer) { w.ring.h.head.Store(RingSize + 1) },
		"head too near":   func(w *Writer) { w.ring.h.head.Store(3) },
		"huge record":     func(w *Writer) { w.ring.copyIn(0, []byte{0xff, 0xff, 0xff, 0x7f}); w.ring.h.head.Store(100) },
		"length past end": func(w *Writer) { w.ring.copyIn(0, []byte{200, 0, 0, 0}); w.ring.h.head.Store(100) },
		"not a record":    func(w *Writer) { w.ring.copyIn(0, []byte{4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}); w.ring.h.head.Store(8) },
	} {
		t.Run(name, func(t *testing.T) {
			w, r := newPair(t)
			spoil(w)
			if rec, err := r.Next(); !errors.Is(err, ErrCorrupt) {
				t.Errorf("got %+v, %v", rec, err)
			}
		})
	}
}

func BenchmarkRing(b *testing.B) {
	f, err := NewRing(nil)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w, err := NewWriter(int(f.Fd()))
	if err != nil {
		b.Fatal(err)
	}
	r, err := NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	var done atomic.Bool
	var reading sync.WaitGroup
	reading.Go(func() {
		for {
			rec, err := r.Next()
			switch {
			case err != nil:
				b.Error(err)
				return
			case rec == nil && done.Load():
				return
			case rec == nil:
				r.Wait()
			}
		}
	})
	rec := &Record{Op: OpRead, PID: 3, TID: 4, File: 12, N: 4096, Epoch: 1000}
	for b.Loop() {
		w.Write(rec)
	}
	done.Store(true)
	reading.Wait()
}
