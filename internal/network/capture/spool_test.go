package capture

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestNewSpoolRefuses(t *testing.T) {
	tests := map[string]Options{
		"negative":     {Max: -1},
		"overflowing":  {Max: 1<<63 - 1},
		"tiny snap":    {Snap: 10},
		"large snap":   {Snap: 1 << 20},
		"unknown link": {Link: 7},
	}
	for name, opts := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if s, err := NewSpool(dir, opts); err == nil {
				t.Errorf("%+v was taken: %+v", opts, s)
			}
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Errorf("%v was left behind", left)
			}
		})
	}
	if _, err := NewSpool(filepath.Join(t.TempDir(), "missing"), Options{}); err == nil {
		t.Error("a missing folder was taken")
	}
}

func TestSpoolFile(t *testing.T) {
	dir := t.TempDir()
	s, err := NewSpool(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d files, error %v", len(entries), err)
	}
	info, err := entries[0].Info()
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%v was left behind", left)
	}
}

func TestAfterClose(t *testing.T) {
	s := newSpool(t, Options{Now: clock(time.Second)})
	s.Frame(true, ether(udpDatagram(inside(), outside(), nil)))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s.Frame(true, make([]byte, 99))
	s.Secret([]byte("CLIENT_RANDOM aa bb"))
	got := s.Totals()
	want := Totals{Frames: 1, Bytes: 42, LeftFrames: 1, LeftBytes: 99, LeftSecrets: 1, LeftSince: clock(0)().Add(time.Second)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("totals, -want +got:\n%s", diff)
	}
	if err := s.Write(&bytes.Buffer{}, nil); err == nil {
		t.Error("a closed spool was written")
	}
}

// A full disk loses frames, but does not end the run or damage the file.
func TestFullDisk(t *testing.T) {
	s := newSpool(t, Options{Now: clock(time.Second)})
	frame := ether(udpDatagram(inside(), outside(), []byte("kept")))
	s.Frame(true, frame)
	good := s.file
	readOnly, err := os.Open(good.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer readOnly.Close()
	s.file = readOnly
	s.Frame(true, frame)
	s.file = good
	s.Frame(true, frame)
	got := s.Totals()
	if got.Frames != 2 || got.LeftFrames != 1 || got.Err == nil {
		t.Errorf("totals: %+v", got)
	}
	c := export(t, s, nil)
	if len(c.packets) != 2 || !slices.Equal(c.packets[1].data, frame) {
		t.Errorf("%d packets in the file", len(c.packets))
	}
	if strings.Contains(strings.Join(c.section[1], ""), "spool") {
		t.Errorf("the file tells of the host: %q", c.section[1])
	}
}

func TestSecrets(t *testing.T) {
	s := newSpool(t, Options{})
	line := "CLIENT_RANDOM 00aaFF 1234"
	for _, bad := range []string{
		"", "\n", "CLIENT_RANDOM 00aa", "client_random 00 11", "CLIENT_RANDOM 00 zz", "CLIENT_RANDOM 00 11\nX 00 11\n",
		"CLIENT_RANDOM 00 11 22", "X 00 " + strings.Repeat("a", maxSecret), "\x1b[0m 00 11",
	} {
		s.Secret([]byte(bad))
	}
	left := s.Totals().LeftSecrets
	s.Secret([]byte(line))
	n, err := s.KeyLog().Write([]byte(line + "\n" + line + "\nnonsense"))
	if want := 2*len(line) + 10; n != want || err != nil {
		t.Errorf("wrote %d, error %v, want %d", n, err, want)
	}
	c := export(t, s, nil)
	if want := strings.Repeat(line+"\n", 3); c.secrets != want {
		t.Errorf("secrets %q, want %q", c.secrets, want)
	}
	if got := s.Totals().LeftSecrets; left != 9 || got != 10 {
		t.Errorf("%d and %d secrets were left out, want 9 and 10", left, got)
	}
	if got := c.section[1]; !slices.Equal(got, []string{"10 TLS secrets were left out"}) {
		t.Errorf("the file tells %q", got)
	}
}

// Readers refuse blocks of 16 MiB.
func TestManySecrets(t *testing.T) {
	s := newSpool(t, Options{})
	line := []byte("X " + strings.Repeat("a", 400) + " " + strings.Repeat("b", 400) + "\n")
	kept := 0
	for ; s.Totals().LeftSecrets == 0; kept++ {
		s.Secret(line)
	}
	c := export(t, s, nil)
	if want := (kept - 1) * len(line); len(c.secrets) != want {
		t.Errorf("%d bytes of secrets, want %d", len(c.secrets), want)
	}
	if blocks := len(c.kinds) - 3; blocks < len(c.secrets)/(maxSecrets+maxSecret) || blocks > 20 {
		t.Errorf("%d bytes are in %d blocks", len(c.secrets), blocks)
	}
}
