package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
)

// A record may come from a stranger, so it is bounded.
// no gap: bounds the conversation with a model; a failed ask is reported
const (
	maxRecordLine = 64 << 20
	maxRecord     = 1 << 30
	maxAsks       = 200_000
)

// replay answers from a record.
type replay struct {
	name string

	mu      sync.Mutex
	answers map[string][]answer
	asked   map[string]int
}

// answer is a reply or an error.
type answer struct {
	reply *Reply
	err   *Error
}

// Replay answers from a [Record], without a model. Repeated asks get their
// answers in the order of the record. An ask that is not in it fails with
// [ErrNotRecorded].
func Replay(r io.Reader) (Model, error) {
	m := &replay{answers: make(map[string][]answer), asked: make(map[string]int)}
	limited := &io.LimitedReader{R: r, N: maxRecord + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxRecordLine)
	n := 0
	for lines.Scan() {
		n++
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			if err := m.read(line, n); err != nil {
				return nil, unreadable(n, err)
			}
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, unreadable(n+1, fmt.Errorf("it has more than %d bytes", maxRecordLine))
	case err != nil:
		return nil, unreadable(n+1, err)
	case limited.N <= 0:
		return nil, unreadable(n, fmt.Errorf("the record has more than %d bytes", maxRecord))
	}
	return m, nil
}

func unreadable(line int, err error) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("line %d of the record of a model cannot be read", line), Err: err}
}

// read parses one line.
func (m *replay) read(line []byte, n int) error {
	if document.Depth(line) > 2*defaultLimits().depth {
		return errors.New("it nests too deep")
	}
	var e entry
	if err := json.Unmarshal(line, &e); err != nil {
		return errors.New(clean(err.Error()))
	}
	switch {
	case e.Version != recordVersion:
		return fmt.Errorf("it is of version %d, not %d", e.Version, recordVersion)
	case e.Ask == nil || (e.Reply == nil) == (e.Error == nil):
		return errors.New("it wants an ask, and a reply or an error")
	case n > maxAsks:
		return fmt.Errorf("there are more than %d", maxAsks)
	}
	key := digest(e.Ask)
	if key == "" || e.Digest != "" && e.Digest != key {
		return errors.New("its digest is not that of its ask; it was changed")
	}
	if m.name == "" {
		m.name = clean(e.Model)
	}
	m.answers[key] = append(m.answers[key], answer{e.Reply, e.Error})
	return nil
}

// Name is the name of the recorded model.
func (m *replay) Name() string {
	if m.name == "" {
		return "replay"
	}
	return m.name
}

// Ask implements [Model].
func (m *replay) Ask(ctx context.Context, a *Ask) (*Reply, error) {
	if ctx.Err() != nil {
		return nil, &Error{Kind: KindCancelled, Message: "nobody waits for the reply any more", err: context.Cause(ctx)}
	}
	if err := check(a); err != nil {
		return nil, err
	}
	key := digest(a)
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.asked[key]
	all := m.answers[key]
	if n >= len(all) {
		return nil, &Error{Kind: KindRecord, err: ErrNotRecorded, Message: missing(a, key, n, len(all))}
	}
	m.asked[key]++
	if all[n].err != nil {
		e := *all[n].err
		return nil, &e
	}
	r := *all[n].reply
	return &r, nil
}

func missing(a *Ask, key string, asked, have int) string {
	if have > 0 {
		return fmt.Sprintf("%s: the ask %.12s for %q was recorded %d times and is made for the %dth time", ErrNotRecorded, key, clean(a.Purpose), have, asked+1)
	}
	return fmt.Sprintf("%s to the ask %.12s for %q (%d turns, seed %d); it is of another target, seed or version", ErrNotRecorded, key, clean(a.Purpose), len(a.Turns), a.Seed)
}
