package monitor

import (
	"context"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

var update = flag.Bool("update", false, "rewrite the expected events in testdata")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The decoys of all scripted cases.
func testDecoys() []mcpsf.Decoy {
	return []mcpsf.Decoy{
		{ID: "aws-1", Kind: "aws-credentials", Path: "/home/dev/.aws/credentials"},
		{ID: "ssh-1", Kind: "ssh-key", Path: "/home/dev/.ssh/id_rsa"},
		{ID: "doc-1", Kind: mcpsf.DecoyDocument, Path: "/home/dev/Documents/report.txt"},
	}
}

// The only name of all scripted cases that has an address.
func testName(a netip.Addr) string {
	if a == netip.MustParseAddr("192.0.2.9") {
		return "drop.example"
	}
	return ""
}

// TestScripts runs testdata/*.txtar: a script of observations and the events
// it must lead to. Run with -update to rewrite the events, then read the diff.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) != 2 {
				t.Fatal("a case has a script and events")
			}
			s := newScript(t, &Options{Decoys: testDecoys(), NameOf: testName, Variables: map[string]string{"AWS_KEY": "aws-2"}})
			s.run(string(archive.Files[0].Data))
			got := s.events()
			if *update {
				archive.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// script feeds a monitor from lines of text and stores its events.
type script struct {
	t      *testing.T
	m      *Monitor
	seq    uint64
	nanos  int64
	emit   []mcpsf.Event
	totals Totals
}

func newScript(t *testing.T, opts *Options) *script {
	t.Helper()
	s := &script{t: t}
	opts.Now = func() int64 { return s.nanos }
	opts.Emit = func(e mcpsf.Event) { s.emit = append(s.emit, e) }
	m, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	s.m = m
	return s
}

func (s *script) run(text string) {
	s.t.Helper()
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			s.line(line)
		}
	}
	s.totals = s.m.Close()
}

func (s *script) events() string {
	var b strings.Builder
	for i := range s.emit {
		if got := s.emit[i].Seq; got != int64(i+1) {
			s.t.Errorf("event %d has number %d", i+1, got)
		}
		b.WriteString(render(&s.emit[i]))
	}
	return b.String()
}

// line is "send KIND OFFSET k=v...", "got KIND OFFSET k=v...", "note TEXT",
// "saw URL local= addr= port= [ago=ms]" or "OP [PATH] k=v...", the last with the
// record's fields.
func (s *script) line(line string) {
	s.t.Helper()
	s.nanos += 1e6
	words := strings.Fields(line)
	fields := map[string]string{}
	var bare []string
	for _, w := range words[1:] {
		if k, v, ok := strings.Cut(w, "="); ok && !strings.HasPrefix(k, "/") {
			fields[k] = v
		} else {
			bare = append(bare, w)
		}
	}
	switch words[0] {
	case "send", "got":
		s.message(words[0], bare, fields)
	case "saw":
		s.saw(bare, fields)
	case "asked":
		s.asked(bare[0], fields)
	case "later":
		s.nanos += s.number(bare[0]) * 1e6
	case "note":
		s.m.Note(mcpsf.KindSandboxStart, strings.Join(bare, " "))
	default:
		r := s.record(words[0], bare, fields)
		if err := s.m.Record(context.Background(), r); err != nil {
			s.t.Errorf("%s: %v", line, err)
		}
	}
}

// asked is a DNS query that the resolver saw.
func (s *script) asked(name string, f map[string]string) {
	s.t.Helper()
	resolver := netip.MustParseAddrPort("192.168.1.1:53")
	s.m.Traffic(s.nanos, Flow{Datagram: true, Local: uint16(s.number(f["local"])), Remote: resolver}, &mcpsf.Event{
		Kind: mcpsf.KindNetDNS, Net: &mcpsf.NetDetail{Family: "dns", Name: name, Type: "A"},
	})
}

// saw is a request that the network saw some milliseconds ago.
func (s *script) saw(bare []string, f map[string]string) {
	s.t.Helper()
	remote := netip.AddrPortFrom(netip.MustParseAddr(f["addr"]), uint16(s.number(f["port"])))
	ago := int64(0)
	if f["ago"] != "" {
		ago = s.number(f["ago"])
	}
	s.m.Traffic(s.nanos-ago*1e6, Flow{Local: uint16(s.number(f["local"])), Remote: remote}, &mcpsf.Event{
		Kind: mcpsf.KindNetHTTP,
		Net:  &mcpsf.NetDetail{Family: "ip4", Type: "stream", Address: remote.Addr().String(), Port: int(remote.Port())},
		HTTP: &mcpsf.HTTPDetail{Method: "GET", URL: bare[0]},
	})
}

func (s *script) message(verb string, bare []string, f map[string]string) {
	s.t.Helper()
	msg := mcpsf.Message{
		Kind: mcpsf.MessageKind(bare[0]), Offset: s.number(bare[1]), Call: f["call"],
		Phase: mcpsf.Phase(f["phase"]), Method: f["method"], Tool: f["tool"],
	}
	if verb == "got" {
		msg.Stream = mcpsf.Stdout
		if msg.Kind == mcpsf.MessageStderr {
			msg.Stream = mcpsf.Stderr
		}
	}
	s.m.Observe(msg)
	if verb == "got" {
		s.m.Consumed(msg.Stream, msg.Offset)
	}
}

func (s *script) record(op string, bare []string, f map[string]string) *wire.Record {
	s.t.Helper()
	s.seq++
	r := &wire.Record{Seq: s.seq, Nanos: s.nanos, Op: ops[op], PID: 1, N: 1}
	if r.Op == 0 {
		s.t.Fatalf("unknown operation %q", op)
	}
	for _, w := range bare {
		switch flag, ok := flagWords[w]; {
		case ok:
			r.Flags |= flag
		case strings.HasPrefix(w, "/"), strings.Contains(w, ":["):
			r.Path = w
		default:
			r.Total = uint64(s.number(w))
		}
	}
	r.Stream = map[string]uint8{"stdout": 1, "stderr": 2}[op]
	for k, v := range f {
		s.set(r, k, v)
	}
	if r.TID == 0 {
		r.TID = r.PID
	}
	return r
}

func (s *script) set(r *wire.Record, k, v string) {
	s.t.Helper()
	switch k {
	case "pid":
		r.PID = int32(s.number(v))
	case "tid":
		r.TID = int32(s.number(v))
	case "epoch":
		r.Epoch = uint64(s.number(v))
	case "err":
		r.Errno = uint16(s.number(v))
	case "child":
		r.Child, r.ChildPID = int32(s.number(v)), int32(s.number(v))
	case "flags":
		r.Num = map[string]uint32{"r": 0, "w": 1, "rw": 2, "wt": 0x241, "path": 0x200000, "append": 0x401}[v]
	case "signal":
		r.Num = uint32(s.number(v))
	case "mode":
		r.Mode = uint32(s.number(v))
	case "file":
		r.File = uint32(s.number(v))
	case "ino":
		r.Dev, r.Ino = 7, uint64(s.number(v))
	case "n":
		r.N = s.number(v)
	case "total":
		r.Total = uint64(s.number(v))
	case "family":
		r.Family = uint16(s.number(v))
	case "type":
		r.SockType = uint16(s.number(v))
	case "local":
		r.Local = uint16(s.number(v))
	case "port":
		r.Port = uint16(s.number(v))
	case "path":
		r.Path = v
	case "to":
		r.To = v
	case "asked":
		r.Asked = v
	case "text":
		r.Text = v
	case "addr":
		r.Addr = v
	case "args":
		r.Args = strings.Split(v, ",")
	default:
		s.t.Fatalf("unknown field %q", k)
	}
}

func (s *script) number(v string) int64 {
	s.t.Helper()
	n, err := strconv.ParseInt(v, 0, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

var ops = map[string]wire.Op{
	"hello": wire.OpHello, "start": wire.OpStart, "fork": wire.OpFork, "exec": wire.OpExec,
	"exit": wire.OpExit, "name": wire.OpName, "open": wire.OpOpen, "read": wire.OpRead,
	"write": wire.OpWrite, "truncate": wire.OpTruncate, "delete": wire.OpDelete,
	"rename": wire.OpRename, "link": wire.OpLink, "chmod": wire.OpChmod,
	"create": wire.OpCreate, "stat": wire.OpStat, "connect": wire.OpConnect,
	"listen": wire.OpListen, "sendto": wire.OpSend, "transmit": wire.OpTransmit, "privilege": wire.OpPrivilege,
	"probe": wire.OpProbe, "limit": wire.OpLimit, "env": wire.OpEnv, "sleep": wire.OpSleep,
	"stdin": wire.OpStdio, "stdout": wire.OpStdio, "stderr": wire.OpStdio,
}

var flagWords = map[string]uint8{
	"thread": wire.FlagThread, "memory": wire.FlagMemory, "dir": wire.FlagDir,
	"created": wire.FlagCreated, "mapped": wire.FlagMapped, "symlink": wire.FlagSymlink,
	"cut": wire.FlagCut, "all": wire.FlagAll,
}

// render formats an event on one line: number, phase, call, process, kind,
// cause, count, then the details of the kind.
func render(e *mcpsf.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s %s", e.Seq, e.Phase, or(e.Call, "-"))
	if e.PID != 0 {
		fmt.Fprintf(&b, " %d<%d", e.PID, e.PPID)
	}
	if e.TID != 0 {
		fmt.Fprintf(&b, "/%d", e.TID)
	}
	fmt.Fprintf(&b, " %s", e.Kind)
	field := func(name string, value any) {
		if text := fmt.Sprint(value); text != "" && text != "0" && text != "false" && text != "[]" {
			fmt.Fprintf(&b, " %s=%s", name, text)
		}
	}
	field("cause", e.Cause)
	field("count", e.Count)
	field("proc", e.Proc)
	switch {
	case e.Process != nil:
		p := e.Process
		field("path", p.Path)
		field("args", strings.Join(p.Args, ","))
		field("cut", p.ArgsCut)
		field("memory", p.Memory)
		field("child", p.Child)
		field("thread", p.Thread)
		field("remote", p.Remote)
		field("code", p.Code)
		field("signal", p.Signal)
		field("error", p.Error)
	case e.File != nil:
		f := e.File
		field("path", f.Path)
		field("asked", f.Asked)
		field("to", f.To)
		field("flags", f.Flags)
		field("mode", f.Mode)
		field("bytes", f.Bytes)
		field("error", f.Error)
		field("canary", f.Canary)
	case e.Net != nil:
		field("net", fmt.Sprintf("%s/%s/%s:%d", e.Net.Family, e.Net.Type, e.Net.Address, e.Net.Port))
		field("name", e.Net.Name)
		field("error", e.Net.Error)
		if e.HTTP != nil {
			field("http", e.HTTP.Method+" "+e.HTTP.URL)
		}
	case e.MCP != nil:
		field("method", e.MCP.Method)
		field("tool", e.MCP.Tool)
		field("server", e.MCP.FromServer)
	case e.Canary != nil:
		field("canary", e.Canary.ID)
		field("how", e.Canary.How)
		field("path", e.Canary.Path)
	case e.Env != nil:
		field("name", e.Env.Name)
		field("canary", e.Env.Canary)
		field("all", e.Env.All)
	case e.Privilege != nil:
		field("what", strconv.Quote(e.Privilege.What))
		field("by", e.Privilege.Syscall)
		field("detail", e.Privilege.Detail)
		field("error", e.Privilege.Error)
	case e.Probe != nil:
		field("what", strconv.Quote(e.Probe.What))
		field("detail", e.Probe.Detail)
	case e.Limit != nil:
		field("limit", fmt.Sprintf("%s:%d/%d:%s", e.Limit.Name, e.Limit.Value, e.Limit.Limit, e.Limit.Action))
	case e.Sandbox != nil:
		field("text", strconv.Quote(e.Sandbox.Text))
	}
	return b.String() + "\n"
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
