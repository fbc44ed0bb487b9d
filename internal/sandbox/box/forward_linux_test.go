package box

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// listenOn is a server that opens a file named like its input and returns the
// input in capitals. It prints its address.
const listenOn = `
import socket, sys, threading
family, host = (socket.AF_INET6, sys.argv[1]) if ":" in sys.argv[1] else (socket.AF_INET, sys.argv[1])
s = socket.socket(family)
s.bind((host, 0)); s.listen(64)
print(s.getsockname()[1], flush=True)
def serve(c):
    while data := c.recv(1 << 16):
        if len(data) < 100:
            try: open("/tmp/" + data.decode())
            except OSError: pass
        c.sendall(data.upper())
    c.close()
while True:
    c, _ = s.accept()
    threading.Thread(target=serve, args=(c,)).start()
`

// listening starts the server and returns its address, with everything the
// kernel records.
func listening(t *testing.T, host string) (*Box, netip.AddrPort, func() []*wire.Record) {
	t.Helper()
	box := startScript(t, listenOn, func(o *Options) {
		o.Network.PortForward = true
		o.Artifact.Command = append(o.Artifact.Command, host)
	})
	var records []*wire.Record
	over := make(chan error, 1)
	go func() {
		over <- box.Each(context.WithoutCancel(t.Context()), func(r *wire.Record) error {
			kept := *r
			records = append(records, &kept)
			return nil
		})
	}()
	var port uint16
	if _, err := fmt.Fscan(box.Stdout(), &port); err != nil {
		t.Fatal(err)
	}
	addr := netip.MustParseAddr(host)
	if addr.IsUnspecified() {
		addr = netip.MustParseAddr("127.0.0.1")
	}
	return box, netip.AddrPortFrom(addr, port), func() []*wire.Record {
		if err := box.Stop(); err != nil {
			t.Error(err)
		}
		if err := <-over; err != nil {
			t.Error(err)
		}
		return records
	}
}

func exchange(t *testing.T, v *ForwardConn, words string) (answer string, sent int64) {
	t.Helper()
	if err := v.Send([]byte(words), func(offset int64) { sent = offset }); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, len(words))
	if _, err := io.ReadFull(v, buf); err != nil {
		t.Fatal(err)
	}
	return string(buf), sent
}

// A listening server is reached on every address, and its actions are
// attributed to the bytes that asked for them.
func TestPortForward(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "0.0.0.0", "::1"} {
		t.Run(host, func(t *testing.T) {
			box, at, stop := listening(t, host)
			sent := map[string]int64{}
			var served int64
			for _, word := range []string{"first", "second", "third"} {
				v, err := box.PortForward().Dial(t.Context(), at)
				if err != nil {
					t.Fatal(err)
				}
				answer, offset := exchange(t, v, word)
				if answer != strings.ToUpper(word) {
					t.Errorf("the answer is %q", answer)
				}
				sent[word], served = offset, v.Offset()
				_ = v.Close()
			}
			if served != int64(len("firstsecondthird")) {
				t.Errorf("the answers end at byte %d", served)
			}
			found := 0
			for _, r := range stop() {
				if r.Op == wire.OpOpen && strings.HasPrefix(r.Path, "/tmp/") {
					found++
					if word := r.Path[len("/tmp/"):]; int64(r.Epoch) != sent[word] {
						t.Errorf("the work for %q, sent up to byte %d, is recorded under %d", word, sent[word], r.Epoch)
					}
				}
				if r.Op == wire.OpStdio && r.Stream == uint8(mcpsf.Served) && r.PID != 1 {
					t.Errorf("process %d is said to have answered", r.PID)
				}
			}
			if found != 3 {
				t.Errorf("the server worked %d times", found)
			}
		})
	}
}

// Many bytes and many connections at once arrive complete.
func TestPortForwardCarriesMuch(t *testing.T) {
	box, at, stop := listening(t, "127.0.0.1")
	results := make(chan error, 8)
	for i := range cap(results) {
		go func() {
			results <- func() error {
				v, err := box.PortForward().Dial(t.Context(), at)
				if err != nil {
					return err
				}
				defer v.Close()
				words := bytes.Repeat([]byte{byte('a' + i)}, 3<<20)
				errs := make(chan error, 1)
				go func() { errs <- v.Send(words, nil) }()
				buf := make([]byte, len(words))
				if _, err := io.ReadFull(v, buf); err != nil {
					return err
				}
				if !bytes.Equal(buf, bytes.ToUpper(words)) {
					return errors.New("something else came back")
				}
				return <-errs
			}()
		}()
	}
	for range cap(results) {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	stop()
}

// A connection that cannot be made, or whose sandbox ends, returns an error.
func TestPortForwardEnds(t *testing.T) {
	box, at, stop := listening(t, "127.0.0.1")
	if _, err := box.PortForward().Dial(t.Context(), netip.MustParseAddrPort("127.0.0.1:9")); err == nil {
		t.Error("nobody listens there")
	}
	v, err := box.PortForward().Dial(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan error, 1)
	go func() {
		_, err := v.Read(make([]byte, 1))
		read <- err
	}()
	stop()
	if err := <-read; err == nil {
		t.Error("a read from a sandbox that is gone gave something")
	}
	if _, err := box.PortForward().Dial(t.Context(), at); err == nil {
		t.Error("a sandbox that is gone accepted a connection")
	}
}
