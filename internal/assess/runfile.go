package assess

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge"
)

// The files that a run records.
const (
	eventsFile        = "events.jsonl"
	trafficFile       = "traffic.pcapng"
	conversationsFile = "conversations.jsonl"
)

// runFile is a file of the run that is hashed while it is written, so that the
// report can say which file it was made with.
type runFile struct {
	io.WriteCloser
	name string
	sum  hash.Hash
	size int64
}

func (f *runFile) Write(p []byte) (int, error) {
	n, err := f.WriteCloser.Write(p)
	_, _ = f.sum.Write(p[:n]) // never fails
	f.size += int64(n)
	return n, err
}

// create opens a file of the run.
func (a *assessment) create(name string, open func(runID string) (io.WriteCloser, error)) (io.WriteCloser, error) {
	w, err := open(a.run.ID)
	if err != nil {
		return nil, err
	}
	f := &runFile{WriteCloser: w, name: name, sum: sha256.New()}
	a.files = append(a.files, f)
	return f, nil
}

// finishFiles ends the trace with the digest of what was judged, and writes into the
// report which files it was made with. Neither can then be exchanged alone.
func (a *assessment) finishFiles(r *mcpsf.Report) error {
	digest, err := judge.InputDigest(r)
	if err != nil {
		return err
	}
	e := mcpsf.Event{Phase: mcpsf.PhaseStop, Kind: mcpsf.KindRunDigest, Sandbox: &mcpsf.SandboxDetail{Text: digest}}
	if events := a.ledger.log.Events(); len(events) > 0 {
		last := &events[len(events)-1]
		e.T, e.Phase = last.T, last.Phase
	}
	a.ledger.add(&e)
	if err := a.ledger.log.Close(); err != nil {
		return err
	}
	for _, f := range a.files {
		r.Run.Files = append(r.Run.Files, mcpsf.RunFile{Name: f.name, Size: f.size, SHA256: hex.EncodeToString(f.sum.Sum(nil))})
	}
	return nil
}
