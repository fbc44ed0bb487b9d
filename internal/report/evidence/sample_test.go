package evidence

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
)

const testVersion = "v1.2.3"

var loadRules = sync.OnceValues(rules.Builtin) // compiling them takes longer than most tests

func builtin(t testing.TB) *rules.Set {
	t.Helper()
	set, err := loadRules()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// sampleEvents are those of a server that reads a decoy and returns it.
func sampleEvents() []mcpsf.Event {
	aws := mcpsf.Home + "/.aws/credentials"
	events := []mcpsf.Event{
		{Phase: mcpsf.PhaseStart, Kind: mcpsf.KindSandboxStart, Sandbox: &mcpsf.SandboxDetail{Text: "gVisor systrap"}},
		{Phase: mcpsf.PhaseStart, PID: 1, Proc: "node", Kind: mcpsf.KindProcessExec, Process: &mcpsf.ProcessDetail{Path: "/usr/bin/node", Args: []string{"node", "server.js"}}},
		{Phase: mcpsf.PhaseDrive, Call: "c1", Kind: mcpsf.KindMCPRequest, MCP: &mcpsf.MCPDetail{
			Method: "tools/call", Tool: "add_note", ID: json.RawMessage("2"), Size: 90, Body: json.RawMessage(`{"name":"add_note","arguments":{"text":"<b>\u202e"}}`),
		}},
		{Phase: mcpsf.PhaseDrive, Call: "c1", PID: 1, Proc: "node", Kind: mcpsf.KindFileOpen, Cause: 3, Count: 4, File: &mcpsf.FileDetail{Path: aws, Flags: "r", Canary: "aws-3f", CanaryKind: "aws-credentials"}},
		{Phase: mcpsf.PhaseDrive, Call: "c1", PID: 1, Proc: "node", Kind: mcpsf.KindCanaryRead, Cause: 4, Canary: &mcpsf.CanaryDetail{ID: "aws-3f", Kind: "aws-credentials", Source: aws, How: "open"}},
		{Phase: mcpsf.PhaseDrive, Call: "c1", Kind: mcpsf.KindMCPResponse, Cause: 3, MCP: &mcpsf.MCPDetail{
			FromServer: true, Method: "tools/call", Tool: "add_note", ID: json.RawMessage("2"), Size: 30, Body: json.RawMessage(`{"content":[]}`), Seconds: 0.25,
		}},
		{Phase: mcpsf.PhaseStop, Kind: mcpsf.KindSandboxStop, Sandbox: &mcpsf.SandboxDetail{Text: "orderly"}},
	}
	for i := range events {
		events[i].Seq, events[i].T = int64(i+1), float64(i)/8
	}
	return events
}

func sampleReport(t testing.TB, events []mcpsf.Event) *mcpsf.Report {
	t.Helper()
	r := &mcpsf.Report{
		SchemaVersion: mcpsf.SchemaVersion,
		Tool:          mcpsf.ToolInfo{Name: "mcpsf", Version: testVersion},
		Run:           mcpsf.Run{ID: "20260101-120000-1a2b3c4d", Seed: 7, Started: time.Date(2026, 1, 1, 12, 0, 0, 5, time.UTC), Duration: 2.5},
		Artifact: mcpsf.Artifact{
			Kind: "npm", Name: "@notes/server", Version: "1.0.0+b", Digest: "sha256:" + strings.Repeat("ab", 32), Runtime: mcpsf.RuntimeNode,
			Origin: &mcpsf.Origin{Pin: "sha512-" + strings.Repeat("A", 86) + "=="},
		},
		Coverage: mcpsf.Coverage{
			Phases: []mcpsf.Phase{mcpsf.PhaseStart, mcpsf.PhaseDrive, mcpsf.PhaseStop},
			Events: mcpsf.EventTotals{Produced: 12, Received: 12, Complete: true}, Calls: mcpsf.CallTotals{Tools: 1, Reached: 1, OK: 1},
			Monitors: []mcpsf.MonitorStatus{{Name: "kernel", Alive: true}},
		},
		Session: mcpsf.Session{
			Initialized: true, Tools: []mcpsf.Tool{{Name: "add_note", Description: "Adds a note."}},
			Calls: []mcpsf.Call{{ID: "c1", Method: "tools/call", Tool: "add_note", Status: mcpsf.CallOK}},
		},
		Declared: mcpsf.Declared{Name: "@notes/server notes"},
	}
	if err := judge.Apply(r, events, builtin(t)); err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) == 0 {
		t.Fatal("the sample has no finding")
	}
	return r
}

// sampleRun writes the sample into a directory. change may modify it before.
func sampleRun(t testing.TB, change func(r *mcpsf.Report, events []mcpsf.Event) []mcpsf.Event) string {
	t.Helper()
	events := sampleEvents()
	r := sampleReport(t, events)
	if change != nil {
		events = change(r, events)
	}
	return writtenRun(t, r, events)
}

// writtenRun writes a run as an assessment does, with its digest.
func writtenRun(t testing.TB, r *mcpsf.Report, events []mcpsf.Event) string {
	t.Helper()
	digest, err := judge.InputDigest(r)
	if err != nil {
		t.Fatal(err)
	}
	end := mcpsf.Event{Seq: int64(len(events) + 1), Kind: mcpsf.KindRunDigest, Phase: mcpsf.PhaseStop, Sandbox: &mcpsf.SandboxDetail{Text: digest}}
	log := logOf(t, append(slices.Clone(events), end))
	r.Run.Files = []mcpsf.RunFile{fileOf(eventsName, log), fileOf(trafficName, packets)}
	dir := t.TempDir()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, reportName, data)
	put(t, dir, eventsName, log)
	put(t, dir, trafficName, packets)
	return dir
}

var packets = []byte("not really packets")

func fileOf(name string, data []byte) mcpsf.RunFile {
	sum := sha256.Sum256(data)
	return mcpsf.RunFile{Name: name, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
}

// logOf returns events as lines.
func logOf(t testing.TB, events []mcpsf.Event) []byte {
	t.Helper()
	var log bytes.Buffer
	w := trace.Create(&log)
	for _, e := range events {
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return log.Bytes()
}

func put(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func packed(t testing.TB, dir string, opts *Options) *Bundle {
	t.Helper()
	if opts == nil {
		opts = &Options{}
	}
	opts.Rules = builtin(t).Digest()
	b, err := Pack(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func verified(t testing.TB, name string, opts *VerifyOptions) *Result {
	t.Helper()
	if opts == nil {
		opts = &VerifyOptions{}
	}
	opts.Rules = builtin(t)
	if opts.Version == "" {
		opts.Version = testVersion
	}
	r, err := Verify(t.Context(), name, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines returns the checks with one result.
func lines(r *Result, s Status) []string {
	var out []string
	for _, c := range r.Checks {
		if c.Status == s {
			out = append(out, c.Name+": "+c.Text)
		}
	}
	return out
}

// rawEntry is one entry of a bundle that is built by hand.
type rawEntry struct {
	header  tar.Header
	content []byte
}

func unpacked(t testing.TB, bundle string) []rawEntry {
	t.Helper()
	z, err := zstd.NewReader(bytes.NewReader(get(t, bundle)))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var all []rawEntry
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err != nil {
			return all
		}
		var content bytes.Buffer
		if _, err := content.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		all = append(all, rawEntry{*h, content.Bytes()})
	}
}

func repacked(t testing.TB, entries []rawEntry, opts ...zstd.EOption) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, opts...)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	for _, e := range entries {
		if e.header.Typeflag == tar.TypeReg {
			e.header.Size = int64(len(e.content))
		}
		if err := w.WriteHeader(&e.header); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
