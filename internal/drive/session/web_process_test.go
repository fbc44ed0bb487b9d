package session_test

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// counted is a wire that counts its bytes, as the sandbox's does.
type counted struct {
	client     *http.Client
	sent, said int64
}

func (c *counted) Do(r *http.Request, leaving func(offset, size int64)) (*http.Response, error) {
	c.sent += 100 + r.ContentLength
	leaving(c.sent, 100+r.ContentLength)
	resp, err := c.client.Do(r)
	if err == nil {
		resp.Body = &countedBody{ReadCloser: resp.Body, wire: c}
	}
	return resp, err
}

type countedBody struct {
	io.ReadCloser
	wire *counted
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.wire.said += int64(n)
	return n, err
}

func (b *countedBody) Offset() int64 { return b.wire.said }

// house drives a process that listens.
func house(t *testing.T, server *httptest.Server, opts session.Options, p *process) (*mcpsf.Session, *recorder) {
	t.Helper()
	own := &http.Transport{}
	defer own.CloseIdleConnections()
	opts.Endpoint.Wire, opts.Endpoint.URL = &counted{client: &http.Client{Transport: own}}, server.URL
	tap := &recorder{t: t}
	s, err := session.Drive(t.Context(), p, tap, &opts)
	if err != nil {
		t.Fatalf("Drive: %v", err)
	}
	for _, stream := range []mcpsf.Stream{mcpsf.Stdout, mcpsf.Stderr} {
		if tap.consumed[stream] != math.MaxInt64 {
			t.Errorf("the end of stream %d was not told", stream)
		}
	}
	if tap.consumed[mcpsf.Served] != 0 {
		t.Errorf("of what is served %d bytes were told consumed", tap.consumed[mcpsf.Served])
	}
	return s, tap
}

// Output of a listening process is reported, but is no part of the
// conversation.
func TestListeningProcess(t *testing.T) {
	server := site(t, func(w http.ResponseWriter, r *http.Request, _ rpc) bool {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
		}
		return r.Method == http.MethodGet
	})
	p := start(func(p *process) {
		fmt.Fprint(p.out, "listening\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n")
		fmt.Fprint(p.err, "warning\n")
		<-p.killed
	})
	s, tap := house(t, server, session.Options{}, p)
	if statuses(s) != fine || s.Closed != "orderly" || s.Irregularities != nil {
		t.Errorf("%s; closed %s %s; %v", statuses(s), s.Closed, s.Ending, s.Irregularities)
	}
	if diff := cmp.Diff([]syscall.Signal{syscall.SIGTERM}, p.signals); diff != "" {
		t.Errorf("signals (-want +got):\n%s", diff)
	}
	var lines []string
	for _, m := range append(tap.of(mcpsf.Stdout, mcpsf.MessageStderr), tap.of(mcpsf.Stderr, mcpsf.MessageStderr)...) {
		lines = append(lines, fmt.Sprint(m.Stream, " ", m.Offset, " ", string(m.Body)))
	}
	if diff := cmp.Diff([]string{`1 10 "listening"`, `1 47 "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"`, `2 8 "warning"`}, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	last := int64(0)
	for _, m := range tap.messages {
		if m.Stream == mcpsf.Stdin && m.Kind != mcpsf.MessageClose && m.Offset != last+m.Size && m.Offset < last {
			t.Errorf("%s ends at %d after %d", m.Method, m.Offset, last)
		}
		if m.Stream == mcpsf.Served && m.Offset == 0 {
			t.Errorf("the answer to %s has no place", m.Method)
		}
	}
}

func TestListeningProcessEnds(t *testing.T) {
	tests := map[string]struct {
		serve      func(p *process, call chan struct{})
		hangs      bool // the call is never answered
		ignoreTerm bool
		statuses   string
		closed     string
	}{
		"crashes in a call": {hangs: true, serve: func(_ *process, call chan struct{}) { <-call }, statuses: "c1 initialize ok, c2 tools/list ok, c3 tools/call crashed", closed: "crashed"},
		"ignores SIGTERM":   {serve: func(p *process, _ chan struct{}) { <-p.killed }, ignoreTerm: true, statuses: fine, closed: "killed"},
		"floods": {serve: func(p *process, call chan struct{}) {
			<-call
			for err := error(nil); err == nil; {
				_, err = p.out.Write(make([]byte, 4096))
			}
		}, hangs: true, statuses: "c1 initialize ok, c2 tools/list ok, c3 tools/call crashed", closed: "limit"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			call, ended := make(chan struct{}), make(chan struct{})
			server := site(t, func(_ http.ResponseWriter, r *http.Request, m rpc) bool {
				if m.Method != "tools/call" {
					return false
				}
				close(call)
				if test.hangs {
					select {
					case <-ended:
					case <-r.Context().Done():
					}
					panic(http.ErrAbortHandler)
				}
				return false
			})
			p := start(func(p *process) {
				test.serve(p, call)
				close(ended)
			})
			p.ignoreTerm = test.ignoreTerm
			s, _ := house(t, server, session.Options{Limits: transport.Limits{MaxOutput: 1 << 20}, Timing: session.Timing{StopGrace: 500 * time.Millisecond}}, p)
			if statuses(s) != test.statuses || s.Closed != test.closed {
				t.Errorf("%s; closed %s %s", statuses(s), s.Closed, s.Ending)
			}
		})
	}
}

// No server listens.
func TestNobodyListens(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	s, _ := browse(t, server.URL, session.Options{})
	if statuses(s) != "c1 initialize garbled" || s.Initialized {
		t.Errorf("%s", statuses(s))
	}
	if _, err := session.Drive(t.Context(), nil, &recorder{t: t}, &session.Options{Endpoint: session.Endpoint{Wire: transport.NewInternetWire(&http.Client{}), URL: "ftp://x"}}); err == nil {
		t.Error("an address that is none was taken")
	}
}
