package transport

import (
	"context"
	"io"
	"strings"
	"sync"
	"syscall"
)

// absent stands for the process of a remote server: it has no output, and ends
// when the session ends.
type absent struct {
	once sync.Once
	done chan struct{}
}

var _ Process = (*absent)(nil)

func newAbsent() *absent { return &absent{done: make(chan struct{})} }

func (*absent) Stdin() io.WriteCloser   { return nowhere{} }
func (*absent) Stdout() io.Reader       { return strings.NewReader("") }
func (*absent) Stderr() io.Reader       { return strings.NewReader("") }
func (a *absent) Done() <-chan struct{} { return a.done }

// Signal only marks the process as ended.
func (a *absent) Signal(context.Context, syscall.Signal) error {
	a.once.Do(func() { close(a.done) })
	return nil
}

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Close() error                { return nil }
