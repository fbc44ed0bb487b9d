package session_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// process is a server in memory: a function with three streams. Its pipes have
// no buffer, so writing to a server that does not read blocks at once.
type process struct {
	in       *io.PipeReader
	out, err *io.PipeWriter

	stdin          *io.PipeWriter
	input          io.WriteCloser // in place of stdin, if set
	stdout, stderr *io.PipeReader

	ignoreTerm bool
	killed     chan struct{}
	done       chan struct{}
	end        sync.Once

	mu      sync.Mutex
	signals []syscall.Signal
}

var _ transport.Process = (*process)(nil)

// start runs the server. It ends when the function returns or is signalled.
func start(serve func(*process)) *process {
	p := &process{killed: make(chan struct{}), done: make(chan struct{})}
	p.in, p.stdin = io.Pipe()
	p.stdout, p.out = io.Pipe()
	p.stderr, p.err = io.Pipe()
	go func() {
		serve(p)
		p.exit()
	}()
	return p
}

func (p *process) exit() {
	p.end.Do(func() {
		p.in.CloseWithError(syscall.EPIPE)
		p.out.Close()
		p.err.Close()
		close(p.killed)
		close(p.done)
	})
}

func (p *process) Stdin() io.WriteCloser {
	if p.input != nil {
		return p.input
	}
	return p.stdin
}

func (p *process) Stdout() io.Reader     { return p.stdout }
func (p *process) Stderr() io.Reader     { return p.stderr }
func (p *process) Done() <-chan struct{} { return p.done }

func (p *process) Signal(ctx context.Context, sig syscall.Signal) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p.mu.Lock()
	p.signals = append(p.signals, sig)
	p.mu.Unlock()
	select {
	case <-p.done:
		return errors.New("process already ended")
	default:
	}
	if sig == syscall.SIGKILL || !p.ignoreTerm {
		p.exit()
	}
	return nil
}

// recorder is a tap that stores the messages and checks the guarantees of the
// Tap interface.
type recorder struct {
	t  *testing.T
	mu sync.Mutex

	messages []mcpsf.Message
	limits   []mcpsf.LimitDetail
	changes  []mcpsf.ChangeDetail
	consumed [4]int64
	total    [4]int64 // the last Consumed offset before the end
	offset   [4]int64
	bytes    int
}

func (r *recorder) Observe(m mcpsf.Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m.Offset <= r.offset[m.Stream] && m.Offset > 0 && m.Kind != mcpsf.MessageClose {
		r.t.Errorf("stream %d: offset %d after %d", m.Stream, m.Offset, r.offset[m.Stream])
	}
	if len(m.Body) > 0 && !json.Valid(m.Body) {
		r.t.Errorf("body is not JSON: %.200q", m.Body)
	}
	if m.Phase == "" {
		r.t.Errorf("message without a phase: %+v", m)
	}
	r.offset[m.Stream] = m.Offset
	r.messages = append(r.messages, m)
	r.bytes += len(m.Body)
}

func (r *recorder) Consumed(stream mcpsf.Stream, offset int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if offset < r.consumed[stream] {
		r.t.Errorf("stream %d: consumed %d after %d", stream, offset, r.consumed[stream])
	}
	r.consumed[stream] = offset
	if offset != math.MaxInt64 {
		r.total[stream] = offset
	}
}

func (r *recorder) Changed(_ string, d mcpsf.ChangeDetail) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes = append(r.changes, d)
}

func (r *recorder) Limit(d mcpsf.LimitDetail) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.limits = append(r.limits, d)
}

// of returns the messages of a kind on a stream.
func (r *recorder) of(stream mcpsf.Stream, kind mcpsf.MessageKind) []mcpsf.Message {
	var out []mcpsf.Message
	for _, m := range r.messages {
		if m.Stream == stream && m.Kind == kind {
			out = append(out, m)
		}
	}
	return out
}

// drive runs a session and checks what holds for every session.
func drive(t *testing.T, p *process, opts *session.Options) (*mcpsf.Session, *recorder) {
	t.Helper()
	tap := &recorder{t: t}
	s, err := session.Drive(t.Context(), p, tap, opts)
	if err != nil {
		t.Fatalf("Drive: %v", err)
	}
	for _, stream := range []mcpsf.Stream{mcpsf.Stdout, mcpsf.Stderr} {
		if tap.consumed[stream] != math.MaxInt64 {
			t.Errorf("the end of stream %d was not told", stream)
		}
	}
	if n := len(tap.of(mcpsf.Stdin, mcpsf.MessageClose)); n != 1 {
		t.Errorf("the close was told %d times", n)
	}
	return s, tap
}

// rpc is a request as the scripted servers receive it.
type rpc struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name, Cursor, URI, ProtocolVersion, RequestState string
		Arguments, Task, InputResponses                  json.RawMessage
		Meta                                             meta `json:"_meta"`
	}
}

// listen reads requests until the input ends.
func (p *process) listen(handle func(rpc)) {
	lines := bufio.NewScanner(p.in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r rpc
		if json.Unmarshal(lines.Bytes(), &r) == nil {
			handle(r)
		}
	}
}

// write writes to standard output; an error means that the reader is gone.
func (p *process) write(format string, args ...any) {
	fmt.Fprintf(p.out, format, args...)
}

const (
	helloResult = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"test","version":"1"}}`
	oneTool     = `{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}`
	done        = `{"content":[{"type":"text","text":"done"}]}`
)

// results returns the answers of a well-behaved server by method.
func results(method string) string {
	switch method {
	case "initialize":
		return helloResult
	case "tools/list":
		return oneTool
	case "tools/call":
		return done
	case "ping":
		return "{}"
	}
	return ""
}

func response(id json.RawMessage, result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// scripted is a server that answers as results does, except where change
// returns something else for a method. That text is written unchanged.
func scripted(change func(r rpc, usual string) string) *process {
	return start(func(p *process) {
		p.listen(func(r rpc) {
			if r.ID == nil {
				return
			}
			usual := response(r.ID, results(r.Method)) + "\n"
			if change != nil {
				usual = change(r, usual)
			}
			if usual != "" {
				io.WriteString(p.out, usual)
			}
		})
	})
}

// statuses formats the calls of a session in one line.
func statuses(s *mcpsf.Session) string {
	var out []string
	for _, c := range s.Calls {
		out = append(out, c.ID+" "+c.Method+" "+string(c.Status))
	}
	return strings.Join(out, ", ")
}

// context.Context keeps the signature of Signal in one place.
// allocated returns how many bytes f allocated in all.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
