package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRoundTrip(t *testing.T) {
	for name, r := range map[string]Record{
		"empty":     {Op: OpHello},
		"open":      {Seq: 7, Nanos: 1 << 62, Op: OpOpen, Flags: FlagDir | FlagCreated, PID: 4, TID: 5, Epoch: 99, Errno: 13, Path: "/a", Asked: "../a", Num: 0o2000000, Mode: 0o644, File: 3, Dev: 1 << 40, Ino: 1 << 50},
		"stdio":     {Op: OpStdio, Stream: 2, N: 17, Total: 1 << 33},
		"negative":  {Op: OpTruncate, N: -1, PID: -1, TID: -2, Nanos: -5},
		"socket":    {Op: OpConnect, Family: 2, SockType: 1, Port: 443, Local: 40001, Addr: "192.0.2.1"},
		"arguments": {Op: OpExec, Path: "/bin/sh", Args: []string{"sh", "", "-c", "\x00\xff"}},
		"rename":    {Op: OpRename, Path: "/a", To: "/b", Text: "x", Child: 2, ChildPID: 3},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Decode(Append(nil, &r))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&r, got); diff != "" {
				t.Errorf("changed on the way (-sent +got):\n%s", diff)
			}
		})
	}
}

func TestLongRecordsAreCutAndSaySo(t *testing.T) {
	long := strings.Repeat("x", MaxString+1)
	many := make([]string, MaxArgs+10)
	heavy := []string{}
	for range 20 {
		heavy = append(heavy, long[:MaxString])
	}
	for name, r := range map[string]Record{
		"path":       {Op: OpOpen, Path: long},
		"argument":   {Op: OpExec, Args: []string{long}},
		"arguments":  {Op: OpExec, Args: many},
		"total size": {Op: OpExec, Args: heavy, Path: long, To: long, Asked: long, Text: long, Addr: long},
	} {
		t.Run(name, func(t *testing.T) {
			b := Append(nil, &r)
			if len(b) > MaxRecord {
				t.Errorf("record has %d bytes, the most is %d", len(b), MaxRecord)
			}
			got, err := Decode(b)
			if err != nil {
				t.Fatal(err)
			}
			if got.Flags&FlagCut == 0 {
				t.Error("a cut record does not say so")
			}
			if len(got.Path) > MaxString || len(got.Args) > MaxArgs {
				t.Errorf("not cut: path %d, %d arguments", len(got.Path), len(got.Args))
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := Append(nil, &Record{Op: OpExec, Path: "/bin/sh", Args: []string{"sh"}})
	for name, b := range map[string][]byte{
		"nothing":      {},
		"no operation": Append(nil, &Record{}),
		"unknown":      Append(nil, &Record{Op: opEnd}),
		"behind":       append(append([]byte{}, good...), 0),
	} {
		if r, err := Decode(b); err == nil {
			t.Errorf("%s: decoded as %+v", name, r)
		}
	}
	for n := range good {
		if r, err := Decode(good[:n]); err == nil {
			t.Errorf("cut to %d of %d bytes: decoded as %+v", n, len(good), r)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(Append(nil, &Record{Op: OpExec, Path: "/bin/sh", Args: []string{"sh", "-c"}}))
	f.Add(Append(nil, &Record{Op: OpStdio, Total: 1 << 60, N: -1}))
	f.Add([]byte{1, 0, 0, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Decode(Append(nil, r))
		if err != nil {
			t.Fatalf("%+v does not survive: %v", r, err)
		}
		if diff := cmp.Diff(r, again); diff != "" {
			t.Errorf("not stable (-first +second):\n%s", diff)
		}
	})
}
