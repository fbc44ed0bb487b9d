package capture

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The golden file was written by hand from the format's specification, so there
// is no flag to update it.
func TestMinimalFile(t *testing.T) {
	s := newSpool(t, Options{Link: RawIP, Snap: 4096, Now: clock(time.Second)})
	s.Secret([]byte("CLIENT_RANDOM aa bb"))
	s.Frame(true, udpDatagram(inside(), outside(), []byte("hello")))
	s.Frame(false, []byte{1})
	var out bytes.Buffer
	if err := s.Write(&out, func(Flow, bool, time.Time) []string { return []string{"event 1", "call 2"} }); err != nil {
		t.Fatal(err)
	}
	got := hex.EncodeToString(out.Bytes())
	if want := goldenHex(t, "testdata/minimal.txt"); got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
}

// goldenHex reads hexadecimal digits with comments after "#".
func goldenHex(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var digits strings.Builder
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		digits.WriteString(strings.Join(strings.Fields(line), ""))
	}
	return digits.String()
}

func TestEmptyFile(t *testing.T) {
	c := export(t, newSpool(t, Options{}), nil)
	if want := []uint32{blockSection, blockInterface, blockStatistics}; !slices.Equal(c.kinds, want) {
		t.Errorf("blocks %v, want %v", c.kinds, want)
	}
	want := map[uint16][]string{3: {"mcpsf"}, 4: {"mcpsf"}}
	if diff := cmp.Diff(want, c.section); diff != "" {
		t.Errorf("section, -want +got:\n%s", diff)
	}
}

func TestCommentIsAskedWithTheFlow(t *testing.T) {
	s := newSpool(t, Options{Now: clock(time.Second)})
	start := clock(0)()
	other := port(inside(), 41000)
	s.Frame(true, ether(tcpSegment(inside(), outside(), syn, 1, 0, nil)))
	s.Frame(false, ether(tcpSegment(outside(), inside(), syn|ack, 1, 2, nil)))
	s.Frame(false, ether(udpDatagram(outside(), other, nil)))
	s.Frame(true, ether(udpDatagram(other, outside(), nil)))
	s.Frame(true, make([]byte, 60)) // no IP packet, so comment is not called
	s.Frame(true, ether(tcpSegment(inside(), outside(), syn, 9, 0, nil)))
	type question struct {
		Proto, Client, Server string
		First                 bool
		At                    time.Duration
	}
	var got []question
	c := export(t, s, func(f Flow, first bool, at time.Time) []string {
		got = append(got, question{f.Proto, f.Client.String(), f.Server.String(), first, at.Sub(start)})
		return nil
	})
	in, out := inside().String(), outside().String()
	want := []question{
		{"tcp", in, out, true, 0},
		{"tcp", in, out, false, time.Second},
		{"udp", out, other.String(), true, 2 * time.Second},
		{"udp", out, other.String(), false, 3 * time.Second},
		{"tcp", in, out, true, 5 * time.Second},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("questions, -want +got:\n%s", diff)
	}
	var directions []uint32
	for _, p := range c.packets {
		directions = append(directions, p.flags)
	}
	if want := []uint32{2, 1, 1, 2, 2, 2}; !slices.Equal(directions, want) {
		t.Errorf("directions %v, want %v", directions, want)
	}
}

func TestHostileComments(t *testing.T) {
	s := newSpool(t, Options{})
	s.Frame(true, ether(udpDatagram(inside(), outside(), nil)))
	c := export(t, s, func(Flow, bool, time.Time) []string {
		return slices.Concat([]string{"\x1b[2Jcall\n1\xff", ""}, slices.Repeat([]string{strings.Repeat("x", 10<<20)}, 50))
	})
	got := c.packets[0].comments
	if len(got) != maxComments-1 || got[0] != "[2Jcall 1\ufffd" || len(got[1]) != maxComment {
		t.Errorf("%d comments, the first %q", len(got), got[0])
	}
}

func TestCommentsAreBounded(t *testing.T) {
	s := newSpool(t, Options{Max: 64 << 10})
	for range 700 {
		s.Frame(true, ether(udpDatagram(inside(), outside(), nil)))
	}
	late := port(inside(), 1)
	s.Frame(true, ether(udpDatagram(late, outside(), nil)))
	c := export(t, s, func(f Flow, _ bool, _ time.Time) []string {
		return []string{f.Client.String() + strings.Repeat("x", maxComment-30)}
	})
	bytesOf, without := 0, 0
	for _, p := range c.packets {
		bytesOf += len(strings.Join(p.comments, ""))
		without += int(flagIf(len(p.comments) == 0, 1))
	}
	if bytesOf > 65<<10 || without < 500 {
		t.Errorf("%d bytes of comments, %d packets without", bytesOf, without)
	}
	last := c.packets[len(c.packets)-1].comments
	if len(last) != 1 || !strings.HasPrefix(last[0], late.String()) {
		t.Errorf("the new flow has the comments %q", last)
	}
	if told := c.stats[1]; len(told) != 1 || !strings.Contains(told[0], "comments of") {
		t.Errorf("the file tells %q", told)
	}
}

func TestShortened(t *testing.T) {
	s := newSpool(t, Options{Snap: minSnap})
	frame := ether(udpDatagram(inside(), outside(), bytes.Repeat([]byte("x"), 1000)))
	s.Frame(true, frame)
	asked := false
	c := export(t, s, func(f Flow, _ bool, _ time.Time) []string {
		asked = f.Client == inside()
		return nil
	})
	p := c.packets[0]
	if p.original != len(frame) || !slices.Equal(p.data, frame[:minSnap]) || !asked {
		t.Errorf("%d of %d bytes, asked %v", len(p.data), p.original, asked)
	}
	if got := s.Totals(); got.Shortened != 1 || got.Bytes != minSnap {
		t.Errorf("totals: %+v", got)
	}
}

type failing struct{ after int }

var errFull = errors.New("no space")

func (f *failing) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteFails(t *testing.T) {
	s := newSpool(t, Options{})
	for range 200 {
		s.Frame(true, make([]byte, 1000))
	}
	for _, after := range []int{0, 100 << 10, 200 << 10} {
		if err := s.Write(&failing{after}, nil); !errors.Is(err, errFull) {
			t.Errorf("after %d bytes: %v", after, err)
		}
	}
	if err := s.Write(&failing{1 << 20}, nil); err != nil {
		t.Error(err)
	}
}

func TestDamagedSpool(t *testing.T) {
	s := newSpool(t, Options{})
	s.Frame(true, make([]byte, 100))
	if err := s.file.Truncate(50); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(&bytes.Buffer{}, nil); err == nil {
		t.Error("half a record was taken for a whole one")
	}
	if _, err := s.file.WriteAt([]byte{0xff, 0xff, 0xff, 0xff}, 16); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(&bytes.Buffer{}, nil); err == nil || !strings.Contains(err.Error(), "record of") {
		t.Errorf("a record of 4 GiB: %v", err)
	}
}
