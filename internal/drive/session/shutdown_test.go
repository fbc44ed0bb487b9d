package session_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

func TestShutdown(t *testing.T) {
	answering := func(then func(p *process)) func(*process) {
		return func(p *process) {
			p.listen(func(r rpc) {
				if r.ID != nil {
					p.write("%s\n", response(r.ID, results(r.Method)))
				}
			})
			then(p)
		}
	}
	tests := map[string]struct {
		serve      func(p *process)
		ignoreTerm bool
		closed     string
		signals    []syscall.Signal
		seconds    float64
		endsFirst  bool // the process may end first, so that no signal is needed
	}{
		"ends when its input ends": {serve: answering(func(*process) {}), closed: "orderly"},
		"takes a moment":           {serve: answering(func(*process) { time.Sleep(time.Second) }), closed: "orderly", seconds: 1},
		"needs SIGTERM": {
			serve: answering(func(p *process) { <-p.killed }), closed: "terminated",
			signals: []syscall.Signal{syscall.SIGTERM}, seconds: 2,
		},
		"ignores SIGTERM": {
			serve: answering(func(p *process) { <-p.killed }), ignoreTerm: true, closed: "killed",
			signals: []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL}, seconds: 4,
		},
		"floods when asked to end": {
			serve: answering(func(p *process) {
				for err := error(nil); err == nil; {
					_, err = p.out.Write(bytes.Repeat([]byte("x"), 4096))
				}
			}), ignoreTerm: true, closed: "limit", signals: []syscall.Signal{syscall.SIGKILL},
		},
		"floods and ends": {
			serve: answering(func(p *process) { p.out.Write(bytes.Repeat([]byte("x"), 2<<20)) }), closed: "limit",
			endsFirst: true,
		},
		"never reads": {
			serve: func(p *process) { <-p.killed }, closed: "terminated",
			signals: []syscall.Signal{syscall.SIGTERM}, seconds: 64,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := start(test.serve)
				p.ignoreTerm = test.ignoreTerm
				begun := time.Now()
				s, _ := drive(t, p, &session.Options{Limits: transport.Limits{MaxOutput: 1 << 20}})
				if s.Closed != test.closed {
					t.Errorf("closed %q (%s), want %q", s.Closed, s.Ending, test.closed)
				}
				if diff := cmp.Diff(test.signals, p.signals); diff != "" && !test.endsFirst {
					t.Errorf("signals (-want +got):\n%s", diff)
				}
				if got := time.Since(begun).Seconds(); got != test.seconds {
					t.Errorf("took %v seconds, want %v", got, test.seconds)
				}
			})
		})
	}
}

// A child of the server that keeps its output open must not block us.
func TestOutputIsHeldOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(func(p *process) {
			// The first process ends; p.out stays open until it is killed.
			p.listen(func(r rpc) {
				if r.ID != nil {
					p.write("%s\n", response(r.ID, results(r.Method)))
				}
			})
		})
		// The pipe itself stays open, so that the server function lives on.
		input := &notingCloser{Writer: p.stdin, closed: make(chan struct{})}
		p.input = input
		held := &holding{process: p, done: input.closed}
		s, err := session.Drive(t.Context(), held, &recorder{t: t}, nil)
		if err != nil || s.Closed != "orderly" {
			t.Errorf("closed %v, error %v", s.Closed, err)
		}
		if diff := cmp.Diff([]string{"left processes behind that kept its output open"}, s.Irregularities); diff != "" {
			t.Errorf("irregularities (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]syscall.Signal{syscall.SIGKILL}, p.signals); diff != "" {
			t.Errorf("signals (-want +got):\n%s", diff)
		}
	})
}

// holding is a process that reports its end before its output ends.
type holding struct {
	*process
	done chan struct{}
}

func (h *holding) Done() <-chan struct{} { return h.done }

type notingCloser struct {
	io.Writer
	closed chan struct{}
}

func (n *notingCloser) Close() error { close(n.closed); return nil }

func TestFloods(t *testing.T) {
	kib := bytes.Repeat([]byte("x"), 1024)
	flood := func(w func(p *process) io.Writer, piece []byte) func(*process) {
		return func(p *process) {
			p.listen(func(r rpc) {
				switch {
				case r.Method == "tools/call":
					for err := error(nil); err == nil; {
						_, err = w(p).Write(piece)
					}
				case r.ID != nil:
					p.write("%s\n", response(r.ID, results(r.Method)))
				}
			})
		}
	}
	stdout := func(p *process) io.Writer { return p.out }
	stderr := func(p *process) io.Writer { return p.err }
	tests := map[string]struct {
		serve  func(*process)
		stream mcpsf.Stream
		ending string
	}{
		"one endless line":      {flood(stdout, kib), mcpsf.Stdout, "more than 1048576 bytes on stdout"},
		"lines":                 {flood(stdout, append(kib, '\n')), mcpsf.Stdout, "more than 1048576 bytes on stdout"},
		"half messages":         {flood(stdout, []byte("{\"a\":\n")), mcpsf.Stdout, "more than 1048576 bytes on stdout"},
		"notifications":         {flood(stdout, []byte(`{"method":"x"}`+"\n")), mcpsf.Stdout, "more than 5000 messages on stdout"},
		"a batch":               {flood(stdout, []byte("["+strings.Repeat("{},", 9999)+"{}]\n")), mcpsf.Stdout, "more than 5000 messages on stdout"},
		"requests":              {flood(stdout, []byte(`{"method":"ping","id":1}`+"\n")), mcpsf.Stdout, "more than 5000 messages on stdout"},
		"blank lines":           {flood(stdout, bytes.Repeat([]byte("\n"), 4096)), mcpsf.Stdout, "more than 1048576 bytes on stdout"},
		"endless line, stderr":  {flood(stderr, kib), mcpsf.Stderr, "more than 1048576 bytes on stderr"},
		"short lines on stderr": {flood(stderr, []byte("x\n")), mcpsf.Stderr, "more than 5000 messages on stderr"},
		"nested brackets":       {flood(stdout, []byte("[\n")), mcpsf.Stdout, "more than 1048576 bytes on stdout"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := start(test.serve)
				s, tap := drive(t, p, &session.Options{Limits: transport.Limits{MaxOutput: 1 << 20, MaxMessages: 5000, MaxBody: 1024, MaxFrame: 64 << 10}})
				if s.Closed != "limit" || s.Ending != "the server wrote "+test.ending {
					t.Errorf("closed %q: %s", s.Closed, s.Ending)
				}
				if len(tap.limits) != 1 || tap.limits[0].Name != mcpsf.LimitOutput || tap.limits[0].Action != "killed" {
					t.Errorf("limits told: %+v", tap.limits)
				}
				if diff := cmp.Diff([]syscall.Signal{syscall.SIGKILL}, p.signals); diff != "" {
					t.Errorf("signals (-want +got):\n%s", diff)
				}
				if last := s.Calls[len(s.Calls)-1]; last.Status != mcpsf.CallCrashed || !strings.Contains(last.Note, "stopped") {
					t.Errorf("the call ended %s: %s", last.Status, last.Note)
				}
				if n := len(tap.messages); n > 5100 || tap.bytes > 4<<20 {
					t.Errorf("the tap got %d messages of %d bytes", n, tap.bytes)
				}
			})
		})
	}
}

// Output beyond the limit is still read, so that the server can exit.
func TestFloodIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const total = 3 << 20
		p := start(func(p *process) {
			for range total >> 12 {
				p.out.Write(bytes.Repeat([]byte("x"), 1<<12))
			}
			<-p.killed
		})
		stubborn := &lateKill{process: p, wrote: total}
		tap := &recorder{t: t}
		s, err := session.Drive(t.Context(), stubborn, tap, &session.Options{Limits: transport.Limits{MaxOutput: 1 << 20}})
		if err != nil || s.Closed != "limit" {
			t.Errorf("closed %q, error %v", s.Closed, err)
		}
		if tap.total[mcpsf.Stdout] != total {
			t.Errorf("%d bytes were counted, want %d", tap.total[mcpsf.Stdout], total)
		}
	})
}

// lateKill ends only some time after a signal.
type lateKill struct {
	*process
	wrote int
}

func (l *lateKill) Signal(_ context.Context, sig syscall.Signal) error {
	go func() {
		time.Sleep(time.Second)
		l.exit()
	}()
	return nil
}

func TestMemoryOfAHugeFrame(t *testing.T) {
	p := start(func(p *process) {
		p.listen(func(r rpc) {
			switch {
			case r.Method == "tools/call":
				fmt.Fprintf(p.out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, r.ID)
				piece := bytes.Repeat([]byte("x"), 64<<10)
				for range 200 << 20 / len(piece) {
					p.out.Write(piece)
				}
				fmt.Fprint(p.out, "\"}]}}\n")
			case r.ID != nil:
				p.write("%s\n", response(r.ID, results(r.Method)))
			}
		})
	})
	grown := allocated(func() {
		s, tap := drive(t, p, &session.Options{Limits: transport.Limits{MaxFrame: 1 << 20, MaxOutput: 1 << 30}})
		if got := statuses(s); !strings.HasSuffix(got, "tools/call garbled") || s.Closed != "orderly" {
			t.Errorf("calls: %s, closed %q", got, s.Closed)
		}
		answer := tap.of(mcpsf.Stdout, mcpsf.MessageResponse)[2]
		if answer.Call != "c3" || !answer.Truncated || answer.Size < 200<<20 {
			t.Errorf("the answer is of call %q, truncated %v, size %d", answer.Call, answer.Truncated, answer.Size)
		}
	})
	if grown > 32<<20 {
		t.Errorf("a frame of 200 MiB made us allocate %d bytes", grown)
	}
}

// Streams that outlive even the kill are closed when the context ends.
func TestOutputNeverEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(func(p *process) { <-p.killed })
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		s, err := session.Drive(ctx, &undead{process: p, done: make(chan struct{})}, &recorder{t: t}, nil)
		if !errors.Is(err, context.DeadlineExceeded) || s.Closed != "killed" {
			t.Errorf("closed %q, error %v", s.Closed, err)
		}
		p.exit()
	})
}

// undead is a process that ends when killed but whose pipes stay open.
type undead struct {
	*process
	done chan struct{}
	once sync.Once
}

func (u *undead) Done() <-chan struct{} { return u.done }

func (u *undead) Signal(context.Context, syscall.Signal) error {
	u.once.Do(func() { close(u.done) })
	return nil
}

// A request larger than the pipe, and a server that stops reading: the blocked
// write must not delay the end. This needs a real pipe.
func TestServerStopsReading(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var properties, names []string
	for i := range 40 {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"string","minLength":4000}`, i))
		names = append(names, fmt.Sprintf(`"p%d"`, i))
	}
	tools := `{"tools":[{"name":"big","inputSchema":{"type":"object","required":[` + strings.Join(names, ",") + `],"properties":{` + strings.Join(properties, ",") + `}}},{"name":"next","inputSchema":{}}]}`
	p := start(func(p *process) {
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			var r rpc
			if json.Unmarshal(lines.Bytes(), &r) != nil || r.ID == nil {
				continue
			}
			if r.Method != "tools/list" {
				p.write("%s\n", response(r.ID, results(r.Method)))
				continue
			}
			p.write("%s\n", response(r.ID, tools))
			break
		}
		<-p.killed
	})
	p.input = out
	s, _ := drive(t, p, &session.Options{Timing: session.Timing{CallTimeout: 2 * time.Second, StopGrace: 10 * time.Millisecond}})
	if got := statuses(s); got != "c1 initialize ok, c2 tools/list ok, c3 tools/call timeout" {
		t.Errorf("calls: %s", got)
	}
	if s.Closed != "terminated" || !strings.Contains(s.Calls[2].Note, "does not read") {
		t.Errorf("closed %q, note %q", s.Closed, s.Calls[2].Note)
	}
}
