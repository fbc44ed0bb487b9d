package capture

import (
	"bytes"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A flood loses its own later packets; a flow after it is in the file.
func TestFloodDoesNotHideALaterFlow(t *testing.T) {
	const most = 1 << 20
	s := newSpool(t, Options{Max: most, Now: clock(time.Millisecond)})
	flood := ether(udpDatagram(inside(), outside(), make([]byte, 1400)))
	record := headerSize + len(flood)
	fits := most / record
	for range 3 * fits {
		s.Frame(true, flood)
	}
	late := port(inside(), 50000)
	secret := []byte("the late one")
	for range 2 * firstPackets {
		s.Frame(true, ether(udpDatagram(late, outside(), secret)))
	}

	kept, left := fits+firstPackets, 2*fits+firstPackets
	want := Totals{
		Frames: int64(kept), Bytes: int64(fits*len(flood) + firstPackets*(42+len(secret))),
		LeftFrames: int64(left), LeftBytes: int64(2*fits*len(flood) + firstPackets*(42+len(secret))),
		LeftSince: clock(0)().Add(time.Duration(fits) * time.Millisecond),
	}
	if diff := cmp.Diff(want, s.Totals()); diff != "" {
		t.Errorf("totals, -want +got:\n%s", diff)
	}
	c := export(t, s, func(f Flow, first bool, _ time.Time) []string {
		if first {
			return []string{f.Client.String()}
		}
		return nil
	})
	if len(c.packets) != kept {
		t.Fatalf("%d packets, want %d", len(c.packets), kept)
	}
	first := c.packets[fits]
	if !bytes.HasSuffix(first.data, secret) || len(first.comments) != 1 || first.comments[0] != late.String() {
		t.Errorf("the late flow begins with %q, comments %q", first.data, first.comments)
	}
	told := fmt.Sprintf("%d frames, %d bytes were left out from %s on", left, want.LeftBytes, want.LeftSince.Format(time.RFC3339Nano))
	if got := c.section[1]; len(got) != 1 || got[0] != told {
		t.Errorf("the section tells %q, want %q", got, told)
	}
	if got := c.stats[1]; len(got) != 1 || got[0] != told {
		t.Errorf("the statistics tell %q, want %q", got, told)
	}
}

// Thousands of flows use up one second's share of the reserve. A flow that
// begins after them is kept.
func TestFloodOfFlows(t *testing.T) {
	now := clock(0)()
	s := newSpool(t, Options{Max: 1, Now: func() time.Time { return now }})
	flood := func(n int) {
		for i := range n {
			from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 51, 100, byte(i >> 16)}), uint16(i))
			s.Frame(true, ether(tcpSegment(from, outside(), syn, uint32(i), 0, nil)))
		}
	}
	for i := range 60 {
		flood(3000)
		now = now.Add(time.Second)
		before := s.Totals().Frames
		s.Frame(true, ether(tcpSegment(inside(), outside(), syn, uint32(i)+1e6, 0, nil)))
		if s.Totals().Frames != before+1 && i < 10 {
			t.Fatalf("after %d seconds of flood a new connection was left out: %+v", i+1, s.Totals())
		}
	}
	if info, err := s.file.Stat(); err != nil || info.Size() > 1+minReserve {
		t.Errorf("the spool has %d bytes, error %v", info.Size(), err)
	}
}

// After the limit is reached, smaller frames are not kept either: the file has
// one gap instead of a random selection.
func TestNothingSmallerAfterTheCut(t *testing.T) {
	s := newSpool(t, Options{Max: 1000})
	for _, size := range []int{500, 600, 10} {
		s.Frame(true, make([]byte, size))
	}
	if got := s.Totals(); got.Frames != 1 || got.LeftFrames != 2 {
		t.Errorf("totals: %+v", got)
	}
}

func TestEmptyFramesAreNotFree(t *testing.T) {
	s := newSpool(t, Options{Max: 10 * headerSize})
	for range 1000 {
		s.Frame(true, nil)
	}
	if got := s.Totals(); got.Frames != 10 || got.LeftFrames != 990 {
		t.Errorf("totals: %+v", got)
	}
}

func TestConcurrentUse(t *testing.T) {
	const workers, frames = 8, 300
	s := newSpool(t, Options{Max: 100 << 10})
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			log := s.KeyLog()
			from := port(inside(), 1000+w)
			for range frames {
				s.Frame(w%2 == 0, ether(udpDatagram(from, outside(), make([]byte, 100))))
				if _, err := log.Write([]byte("CLIENT_RANDOM aa bb\n")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Go(func() {
		for range 20 {
			var out bytes.Buffer
			if err := s.Write(&out, func(Flow, bool, time.Time) []string { return []string{"x"} }); err != nil {
				t.Error(err)
			}
			if _, err := readBlocks(out.Bytes()); err != nil {
				t.Error(err)
			}
			s.Totals()
		}
	})
	group.Wait()
	got, c := s.Totals(), export(t, s, nil)
	if got.Frames+got.LeftFrames != workers*frames || int64(len(c.packets)) != got.Frames {
		t.Errorf("%d packets in the file, totals: %+v", len(c.packets), got)
	}
	for i := 1; i < len(c.packets); i++ {
		if c.packets[i].at.Before(c.packets[i-1].at) {
			t.Fatalf("packet %d is before the one before it", i)
		}
	}
}

// Close may be called while other methods run.
func TestConcurrentClose(t *testing.T) {
	s := newSpool(t, Options{})
	var group sync.WaitGroup
	group.Go(func() {
		for range 1000 {
			s.Frame(true, make([]byte, 100))
		}
	})
	group.Go(func() { _ = s.Write(&bytes.Buffer{}, nil) })
	group.Go(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	group.Wait()
	if got := s.Totals(); got.Frames+got.LeftFrames != 1000 {
		t.Errorf("totals: %+v", got)
	}
}

func FuzzFrames(f *testing.F) {
	f.Add(true, true, ether(tcpSegment(inside(), outside(), syn, 1, 0, []byte("x"))), "comment")
	f.Add(false, false, udpDatagram(inside(), outside(), nil), "\x1b[0m\xff")
	in6 := netip.MustParseAddr("2001:db8::1")
	f.Add(false, true, ip(0, in6, in6, []byte{60, 0, 0, 0, 0, 0, 0, 0, 44, 255, 0, 0, 0, 0, 0, 0}), "")
	f.Add(true, false, bytes.Repeat([]byte{0x81, 0}, 100), "x")
	f.Fuzz(func(t *testing.T, raw, outbound bool, frame []byte, comment string) {
		opts := Options{Snap: minSnap, Link: Ethernet}
		if raw {
			opts.Link = RawIP
		}
		s := newSpool(t, opts)
		s.Frame(outbound, frame)
		s.Frame(!outbound, frame)
		s.Secret(frame)
		firsts := 0
		c := export(t, s, func(_ Flow, first bool, _ time.Time) []string {
			firsts += int(flagIf(first, 1))
			return []string{comment, comment}
		})
		if _, ok := parse(opts.Link, frame[:min(len(frame), minSnap)]); len(c.packets) != 2 || ok != (firsts == 1) {
			t.Fatalf("%d packets, %d first ones, a flow: %v", len(c.packets), firsts, ok)
		}
	})
}

func BenchmarkFrame(b *testing.B) {
	s, err := NewSpool(b.TempDir(), Options{Max: 1 << 38})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	frame := ether(tcpSegment(inside(), outside(), ack, 1, 1, make([]byte, 1400)))
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	for b.Loop() {
		s.end = 0 // the disk is not measured
		s.Frame(true, frame)
	}
}
