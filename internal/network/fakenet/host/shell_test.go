package host

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpsf/mcpsf"
)

// join runs an installed program with the connection as its terminal.
func join(t *testing.T, c io.ReadWriter, name string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s here", name)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir, cmd.Env = t.TempDir(), append(cmd.Environ(), "PS1=$ ")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = c, c
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(in, c); in.Close() }()
	_ = cmd.Wait()
}

// TestShells connects real shells to the host.
func TestShells(t *testing.T) {
	for _, tt := range []struct {
		name    string
		secure  bool
		begin   string
		command []string
		obeyed  string
	}{
		{"silent", false, "", []string{"sh"}, "echo $(("},
		{"silent in TLS", true, "", []string{"sh"}, "echo $(("},
		{"with a prompt", false, "", []string{"sh", "-i"}, "echo $(("},
		{"bash", false, "", []string{"bash", "--norc", "-i"}, "echo $(("},
		{"banner", false, "uid=1000(dev) gid=1000(dev)\nLinux laptop 6.1.0\n", []string{"sh"}, "echo $(("},
		{"on a terminal", false, "", []string{"python3", "-c", "import pty; pty.spawn(['/bin/sh'])"}, "echo $(("},
		{"python", false, "", []string{"python3", "-q", "-i"}, ""},
		{"node", false, "", []string{"node", "-i"}, ""},
		{"no shell", false, "", []string{"python3", "-uc", "import sys, subprocess\nfor line in sys.stdin: print(subprocess.run(line.split(), capture_output=True, text=True).stdout)"}, "expr "},
		{"executes", false, "> ", []string{"python3", "-uc", "import sys\nfor line in sys.stdin:\n  try: exec(line); print('ok')\n  except BaseException as e: print('failed', e)"}, "print("},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := start(t, nil, "c2.example", 4444)
			c, err := net.Dial("tcp", w.addr)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if tt.secure {
				c = tls.Client(c, w.tlsConfig())
			}
			if _, err := io.WriteString(c, tt.begin); err != nil {
				t.Fatal(err)
			}
			join(t, c, tt.command[0], tt.command[1:]...)
			c.Close()
			end := w.end(t, 1)[0]
			hits := w.hits()
			if len(hits) != 1 || hits[0].What != mcpsf.ExecProofShell || hits[0].Source != "c2.example:4444" || !strings.HasPrefix(hits[0].Detail, tt.obeyed) {
				t.Fatalf("%+v %+v, heard %q", end, hits, w.all(""))
			}
			if !strings.HasSuffix(end.Service, "shell") {
				t.Error(end)
			}
		})
	}
}

var ordered = regexp.MustCompile(`(\d+) ?\* ?(\d+)`)

func product(t *testing.T, command string) string {
	t.Helper()
	m := ordered.FindStringSubmatch(command)
	if m == nil {
		t.Fatalf("%q is no order", command)
	}
	a, _ := strconv.Atoi(m[1])
	b, _ := strconv.Atoi(m[2])
	return strconv.Itoa(a * b)
}

// visit serves one client in fake time and records what the host sent when.
func visit(t *testing.T, port uint16, client func(c net.Conn, lines *bufio.Reader)) (end visitEnd, hits []*mcpsf.ExecProofDetail) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		there, here := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			service, first, cut := New(nil).Serve(t.Context(), &Visit{
				Conn: here, To: netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), port),
				Tell: func(o Observation) {
					if o.ExecProof != nil {
						hits = append(hits, o.ExecProof)
					}
				},
			})
			end = visitEnd{service, string(first), cut}
		}()
		client(there, bufio.NewReader(there))
		there.Close()
		<-done
	})
	return end, hits
}

// TestEcho checks that an echo proves nothing, in one piece or in many.
func TestEcho(t *testing.T) {
	end, hits := visit(t, 4444, func(c net.Conn, lines *bufio.Reader) {
		for {
			c.SetReadDeadline(time.Now().Add(time.Minute))
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			fmt.Fprintf(c, "%s\r\nsh: %s: not found\n", line, line)
		}
	})
	if len(hits) != 0 || end.Service != "" {
		t.Errorf("%+v %+v", end, hits)
	}
}

// TestSlowAnswer sends the product byte by byte, among other output.
func TestSlowAnswer(t *testing.T) {
	end, hits := visit(t, 4444, func(c net.Conn, lines *bufio.Reader) {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Error(err)
			return
		}
		for _, b := range []byte("\x1b[0m $ " + line + "\r\n" + product(t, line) + "\r\n$ ") {
			if _, err := c.Write([]byte{b}); err != nil {
				return
			}
			if b == ' ' {
				time.Sleep(time.Second)
			}
		}
	})
	if len(hits) != 1 || end.Service != "shell" {
		t.Errorf("%+v %+v", end, hits)
	}
}

// TestWhoIsAsked counts the commands sent to clients that are no shells.
func TestWhoIsAsked(t *testing.T) {
	for _, tt := range []struct {
		name   string
		port   uint16
		sends  string
		orders int
	}{
		{"silent", 9999, "", 1},
		{"silent to a web server", 80, "", 1},
		{"silent to a database", 6379, "", 0},
		{"text without an answer to the order", 9999, "HELLO 1\n", 1},
		{"binary", 9999, "\x00\x00\x00\x17\x03\x01hello", 0},
		{"binary later", 9999, "HELLO\n\x00\x01\x02", 0},
		{"random", 9999, strings.Repeat("\xf1\xe8\xc3a", 20), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			orders := 0
			_, hits := visit(t, tt.port, func(c net.Conn, lines *bufio.Reader) {
				io.WriteString(c, tt.sends)
				c.SetReadDeadline(time.Now().Add(time.Hour))
				for {
					if _, err := lines.ReadString('\n'); err != nil {
						return
					}
					orders++
				}
			})
			if orders != tt.orders || len(hits) > 0 {
				t.Errorf("%d orders, %+v", orders, hits)
			}
		})
	}
}

// TestLateRequest has a client that sends its request long after connecting.
func TestLateRequest(t *testing.T) {
	var said string
	end, _ := visit(t, 80, func(c net.Conn, lines *bufio.Reader) {
		time.Sleep(politeTime - time.Millisecond)
		io.WriteString(c, "GET /v1/x HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n")
		said, _ = lines.ReadString('\n')
		io.Copy(io.Discard, lines)
	})
	if end.Service != "http" || !strings.HasPrefix(said, "HTTP/1.1 200") {
		t.Errorf("%+v %q", end, said)
	}
	end, _ = visit(t, 9999, func(c net.Conn, lines *bufio.Reader) {
		said, _ = lines.ReadString('\n')
		io.WriteString(c, "GET /v1/x HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n")
		io.Copy(io.Discard, lines)
	})
	if end.Service != "http" || !strings.HasPrefix(said, "echo") {
		t.Errorf("%+v %q", end, said)
	}
}

// TestFlood has a client that never stops sending and never reads.
func TestFlood(t *testing.T) {
	end, hits := visit(t, 9999, func(c net.Conn, _ *bufio.Reader) {
		p := []byte(strings.Repeat("text and more text\n", 4<<10))
		for {
			if _, err := c.Write(p); err != nil {
				if !errors.Is(err, io.ErrClosedPipe) {
					t.Error(err)
				}
				return
			}
		}
	})
	if !end.Cut || len(hits) > 0 || len(end.First) > maxFirst {
		t.Errorf("%+v %+v", end.Cut, hits)
	}
}
