package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/mcpsf/mcpsf"
)

// A kept run is the part of the report that judging needs, as one line, followed
// by a line per event. Fields that change predictably from event to event are
// stored as the difference from the event before: see [deltas].

const (
	windowSize   = 8 << 20
	dictionaryID = 1
	// maxDictionary bounds the size of a dictionary.
	maxDictionary = 8 << 20
)

// packer packs runs. Most of a run (how a server starts, the payloads) is the
// same in others: they are compressed with a common dictionary.
type packer struct{ dictionary []byte }

// pack writes a run.
func (p *packer) pack(r *mcpsf.Report, events []mcpsf.Event) ([]byte, error) {
	text, err := encode(r, events)
	if err != nil {
		return nil, err
	}
	options := []zstd.EOption{zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(windowSize)}
	if len(p.dictionary) > 0 {
		options = append(options, zstd.WithEncoderDictRaw(dictionaryID, p.dictionary))
	}
	packed, err := zstd.NewWriter(nil, options...)
	if err != nil {
		return nil, err
	}
	return packed.EncodeAll(text, nil), packed.Close()
}

// unpack reads a run back.
func (p *packer) unpack(r io.Reader) (*mcpsf.Report, []mcpsf.Event, error) {
	options := []zstd.DOption{zstd.WithDecoderConcurrency(1)}
	if len(p.dictionary) > 0 {
		options = append(options, zstd.WithDecoderDictRaw(dictionaryID, p.dictionary))
	}
	packed, err := zstd.NewReader(r, options...)
	if err != nil {
		return nil, nil, err
	}
	defer packed.Close()
	return decode(packed)
}

// encode writes a run as text, without what no rule can see: see [lean] and
// [unseen].
func encode(r *mcpsf.Report, events []mcpsf.Event) ([]byte, error) {
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false)
	if err := lines.Encode(lean(r)); err != nil {
		return nil, err
	}
	attacked := attackedIn(events)
	var d deltas
	for _, e := range events {
		if unseen(&e, attacked) {
			continue
		}
		d.shrink(&e)
		if err := lines.Encode(&e); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// decode reads the text of a run.
func decode(text io.Reader) (*mcpsf.Report, []mcpsf.Event, error) {
	lines := json.NewDecoder(text)
	report := &mcpsf.Report{}
	if err := lines.Decode(report); err != nil {
		return nil, nil, fmt.Errorf("reading the report: %w", err)
	}
	var events []mcpsf.Event
	var d deltas
	for {
		var e mcpsf.Event
		err := lines.Decode(&e)
		if errors.Is(err, io.EOF) {
			return report, events, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("reading the event after %d: %w", d.seq, err)
		}
		d.restore(&e)
		events = append(events, e)
	}
}

// deltas is what the next event is compared with. Without it most of a packed
// run would be numbers that only count upwards.
type deltas struct {
	seq, ms int64
	call    string
	calls   int64
}

// Placeholders for a call: that of the event before, and the next new one.
const (
	sameCall = "="
	nextCall = "+"
)

// shrink replaces the number, the time and the call of an event by the
// difference, and removes what no rule uses. Times are kept in milliseconds.
func (d *deltas) shrink(e *mcpsf.Event) {
	ms := int64(math.Round(e.T * 1000))
	e.Seq, d.seq = e.Seq-d.seq, e.Seq
	e.T, d.ms = float64(ms-d.ms), ms
	e.TID, e.Cause = 0, 0
	if e.MCP != nil {
		kept := *e.MCP
		kept.ID, kept.Seconds = nil, math.Round(kept.Seconds*1000)/1000
		e.MCP = &kept
	}
	call := e.Call
	switch {
	case call == "":
		return
	case call == d.call:
		e.Call = sameCall
	case call == callName(d.calls+1):
		e.Call = nextCall
	}
	d.see(call)
}

// restore is the inverse of shrink.
func (d *deltas) restore(e *mcpsf.Event) {
	d.seq += e.Seq
	d.ms += int64(e.T)
	e.Seq, e.T = d.seq, float64(d.ms)/1000
	switch e.Call {
	case "":
		return
	case sameCall:
		e.Call = d.call
	case nextCall:
		e.Call = callName(d.calls + 1)
	}
	d.see(e.Call)
}

// see remembers a call and the highest call number.
func (d *deltas) see(call string) {
	d.call = call
	if n, err := strconv.ParseInt(strings.TrimPrefix(call, "c"), 10, 64); err == nil {
		d.calls = max(d.calls, n)
	}
}

func callName(n int64) string { return "c" + strconv.FormatInt(n, 10) }

// lean returns the report with only what judging and the comparison with the
// case file need, and without findings.
func lean(r *mcpsf.Report) *mcpsf.Report {
	kept := &mcpsf.Report{Session: r.Session, Coverage: r.Coverage, Declared: r.Declared, Facts: r.Facts}
	kept.Session.Calls = slices.Clone(r.Session.Calls)
	for i := range kept.Session.Calls {
		kept.Session.Calls[i].Arguments, kept.Session.Calls[i].Seconds = nil, 0
	}
	kept.Artifact.Description, kept.Artifact.WorkDir = r.Artifact.Description, r.Artifact.WorkDir
	kept.Run.Duration = r.Run.Duration
	if r.Installation != nil {
		kept.Installation = &mcpsf.Installation{Packages: r.Installation.Packages}
	}
	return kept
}

// unseen tells whether no rule can see an event. No rule is about files that
// were only looked up. The rules' history uses lookups only of listed folders,
// files of the home, settings beside the server, and files of attacks.
func unseen(e *mcpsf.Event, attacked map[string]*mcpsf.MCPDetail) bool {
	d := e.File
	return e.Kind == mcpsf.KindFileStat && d != nil && attacked[e.Call] == nil && !strings.Contains(d.Flags, "d") &&
		!strings.HasPrefix(d.Path+"/", mcpsf.Home+"/") && !strings.HasSuffix(d.Path, "/.env")
}
