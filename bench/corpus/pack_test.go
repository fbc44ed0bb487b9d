package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// A run is read back unchanged, except for what no rule uses.
func TestPack(t *testing.T) {
	request := func(seq int64, at float64, call string, attack *mcpsf.AttackDetail) mcpsf.Event {
		return mcpsf.Event{Seq: seq, T: at, Call: call, Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseDrive, MCP: &mcpsf.MCPDetail{Method: "tools/call", Attack: attack}}
	}
	stat := func(seq int64, at float64, call, path string) mcpsf.Event {
		return mcpsf.Event{Seq: seq, T: at, Call: call, Kind: mcpsf.KindFileStat, Phase: mcpsf.PhaseDrive, File: &mcpsf.FileDetail{Path: path}}
	}
	attack := &mcpsf.AttackDetail{Class: "path-traversal"}
	kept := []mcpsf.Event{
		request(1, 0.5, "c1", nil), stat(3, 0.75, "c1", mcpsf.Home+"/x"), stat(4, 0.7, "", "/srv/.env"), request(5, 1.25, "c2", attack),
		stat(6, 1.25, "c2", "/srv/x"), request(7, 2, "c9", nil), request(8, 2.001, "c1", nil), request(9, 3, "other", nil), request(11, 3, "c10", nil),
	}
	given := append([]mcpsf.Event{}, kept[:1]...)
	given = append(given, stat(2, 0.6, "c1", "/usr/lib/x"))
	given = append(given, kept[1:8]...)
	given = append(given, stat(10, 3, "c1", mcpsf.Home+"less"))
	given = append(given, kept[8])
	traced := request(12, 3.0004, "c10", nil)
	traced.TID, traced.Cause = 4, 11
	given = append(given, traced)
	kept = append(kept, request(12, 3, "c10", nil))
	r := &mcpsf.Report{Findings: []mcpsf.Finding{{ID: "x"}}}
	r.Declared.Name, r.Artifact.WorkDir, r.Run.Duration = "n", "/app", 2
	for _, dictionary := range []string{"", "of a few words that stand in no run"} {
		p := packer{[]byte(dictionary)}
		packed, err := p.pack(r, given)
		if err != nil {
			t.Fatal(err)
		}
		got, events, err := p.unpack(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(kept, events); diff != "" {
			t.Error(diff)
		}
		if got.Findings != nil || got.Declared.Name != "n" || got.Artifact.WorkDir != "/app" || got.Run.Duration != 2 {
			t.Errorf("%+v", got)
		}
	}
}

// A damaged run, or one packed with another dictionary, is an error.
func TestUnpackRefuses(t *testing.T) {
	p := packer{[]byte("a dictionary of some length")}
	packed, err := p.pack(&mcpsf.Report{}, []mcpsf.Event{{Seq: 1, Kind: mcpsf.KindSandboxStart}})
	if err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func() error{
		"cut":           func() error { _, _, err := p.unpack(bytes.NewReader(packed[:len(packed)-4])); return err },
		"no dictionary": func() error { _, _, err := (&packer{}).unpack(bytes.NewReader(packed)); return err },
		"no event":      func() error { _, _, err := decode(bytes.NewBufferString("{}\n[]\n")); return err },
	} {
		if try() == nil {
			t.Errorf("%s: read without an error", name)
		}
	}
}

// Repacked runs are unchanged.
func TestRepack(t *testing.T) {
	from, to := &shelf{dir: t.TempDir()}, t.TempDir()
	var list []*example
	for i, name := range sampled() {
		list = append(list, &example{Name: name})
		r := &mcpsf.Report{}
		r.Declared.Name = name
		if err := from.put(name, r, []mcpsf.Event{{Seq: int64(i + 1), Kind: mcpsf.KindSandboxStart, Call: fmt.Sprint("c", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := repack(from.dir, to, append(list, &example{Name: "never-recorded"})); err != nil {
		t.Fatal(err)
	}
	anew, err := openShelf(to)
	if err != nil || len(anew.dictionary) == 0 {
		t.Fatal(len(anew.dictionary), err)
	}
	for _, e := range list {
		_, before, err := from.get(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		r, after, err := anew.get(e.Name)
		if err != nil || r.Declared.Name != e.Name || !cmp.Equal(before, after) {
			t.Errorf("%s: %v, %v", e.Name, after, err)
		}
	}
}
