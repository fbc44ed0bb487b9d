package installation

import (
	"bytes"
	"io"
	"sync"
	"time"
)

// keptOutput is how much of the package manager's output is kept, from its end.
// no gap: a larger installation fails, and the failure is reported
const keptOutput = 16 << 10

// tail keeps the end of two streams.
type tail struct {
	mu   sync.Mutex
	kept []byte
	work sync.WaitGroup
}

func newTail(streams ...io.Reader) *tail {
	t := &tail{}
	for _, s := range streams {
		t.work.Go(func() { _, _ = io.Copy(t, s) })
	}
	return t
}

// Write implements [io.Writer].
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - keptOutput; over > keptOutput {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

// wait returns when both streams have ended, or soon after: a process that
// outlives the installation can hold them open.
func (t *tail) wait() {
	done := make(chan struct{})
	go func() { t.work.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Second):
	}
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.ToValidUTF8(t.kept[max(0, len(t.kept)-keptOutput):], []byte("?")))
}
