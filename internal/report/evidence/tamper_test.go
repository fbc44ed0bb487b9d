package evidence

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge"
)

// renumbered returns events with new numbers, as whoever removes or adds some
// would write them.
func renumbered(events []mcpsf.Event) []mcpsf.Event {
	for i := range events {
		events[i].Seq = int64(i + 1)
	}
	return events
}

// readRun returns the report and the events of a directory.
func readRun(t *testing.T, dir string) (*mcpsf.Report, []mcpsf.Event) {
	t.Helper()
	r, err := readReport(bytes.NewReader(get(t, dir, reportName)))
	if err != nil {
		t.Fatal(err)
	}
	return r, follow(bytes.NewReader(get(t, dir, eventsName)), r).events
}

func putReport(t *testing.T, dir string, change func(r *mcpsf.Report)) {
	t.Helper()
	r, _ := readRun(t, dir)
	change(r)
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, reportName, data)
}

func putEvents(t *testing.T, dir string, change func(e []mcpsf.Event) []mcpsf.Event) {
	t.Helper()
	_, events := readRun(t, dir)
	put(t, dir, eventsName, logOf(t, renumbered(change(events))))
}

// cleared makes the report of a server that did nothing.
func cleared(r *mcpsf.Report) {
	r.Findings, r.Accesses = nil, nil
	judge.Conclude(r)
}

// TestTampered changes the files of a run and packs them again, so that every
// hash of the manifest is right.
func TestTampered(t *testing.T) {
	const notTheEvents = "files: events.jsonl is not the one that the report was made with"
	const notTheFacts = "inputs: the report says something else of server, session or coverage than at the end of the run"
	tests := map[string]struct {
		spoil func(t *testing.T, dir string)
		want  string
	}{
		"verdict": {func(t *testing.T, dir string) {
			putReport(t, dir, func(r *mcpsf.Report) { r.Verdict.Band, r.Verdict.Score = mcpsf.BandPass, 0 })
		}, "verdict: the findings and the coverage lead to"},
		"findings and verdict": {func(t *testing.T, dir string) { putReport(t, dir, cleared) }, "judgement: decoy-read"},
		"findings by other rules": {func(t *testing.T, dir string) {
			putReport(t, dir, func(r *mcpsf.Report) { r.Tool.Version = "v0"; cleared(r) })
		}, "judgement: by today's rules it is"},
		"one answer, by other rules": {func(t *testing.T, dir string) {
			putReport(t, dir, func(r *mcpsf.Report) {
				r.Tool.Version, r.Verdict.Weakness = "v0", r.Verdict.Behaviour
				r.Verdict.Behaviour = mcpsf.Answer{Band: mcpsf.BandPass}
			})
		}, "judgement: by today's rules its behaviour is"},
		"confidence, by other rules": {func(t *testing.T, dir string) {
			putReport(t, dir, func(r *mcpsf.Report) { r.Tool.Version, r.Verdict.Confidence.Level = "v0", mcpsf.ConfidenceHigh })
		}, "judgement: by today's rules the confidence is"},
		"text of a finding": {func(t *testing.T, dir string) {
			putReport(t, dir, func(r *mcpsf.Report) { r.Findings[0].Message = "It read a file." })
		}, "judgement: the report has decoy-read"},
		"first event": {func(t *testing.T, dir string) {
			putEvents(t, dir, func(e []mcpsf.Event) []mcpsf.Event { return e[1:] })
		}, notTheEvents},
		"event in the middle": {func(t *testing.T, dir string) {
			putEvents(t, dir, func(e []mcpsf.Event) []mcpsf.Event { return slices.Delete(e, 3, 5) })
		}, notTheEvents},
		"last event": {func(t *testing.T, dir string) {
			putEvents(t, dir, func(e []mcpsf.Event) []mcpsf.Event { return e[:len(e)-1] })
		}, "inputs: the events do not end with the one digest of the run"},
		"added event": {func(t *testing.T, dir string) {
			putEvents(t, dir, func(e []mcpsf.Event) []mcpsf.Event { return slices.Insert(e, 2, e[1]) })
		}, notTheEvents},
		"event after the end": {func(t *testing.T, dir string) {
			putEvents(t, dir, func(e []mcpsf.Event) []mcpsf.Event { return append(e, e[0]) })
		}, "inputs: the events do not end with the one digest of the run"},
		"reordered events": {func(t *testing.T, dir string) {
			putEvents(t, dir, func(e []mcpsf.Event) []mcpsf.Event { e[0], e[1] = e[1], e[0]; return e })
		}, notTheEvents},
		"trailing bytes of the events": {func(t *testing.T, dir string) {
			put(t, dir, eventsName, append(get(t, dir, eventsName), "  "...))
		}, notTheEvents},
		"trailing bytes of the packets": {func(t *testing.T, dir string) {
			put(t, dir, trafficName, append(get(t, dir, trafficName), 0))
		}, "files: traffic.pcapng is not the one that the report was made with"},
		"packets of another run": {func(t *testing.T, dir string) {
			put(t, dir, trafficName, []byte("packets of another run"))
		}, "files: traffic.pcapng is not the one that the report was made with"},
		"extra file":   {func(t *testing.T, dir string) { put(t, dir, "report.exe", []byte("MZ")) }, "files: report.exe is no file of a run"},
		"another page": {func(t *testing.T, dir string) { put(t, dir, "report.html", []byte("PASS")) }, "files: report.html says something else than the report"},
		"gaps": {func(t *testing.T, dir string) {
			putReport(t, dir, func(r *mcpsf.Report) { r.Coverage.Gaps = nil; judge.Conclude(r) })
		}, notTheFacts},
		"monitors": {func(t *testing.T, dir string) {
			putReport(t, dir, func(r *mcpsf.Report) { r.Coverage.Monitors[0].Note = "all is well" })
		}, notTheFacts},
		"what excuses the server": {func(t *testing.T, dir string) {
			putReport(t, dir, func(r *mcpsf.Report) { r.Declared.Hosts = append(r.Declared.Hosts, "collector.example") })
		}, notTheFacts},
		"another artifact": {func(t *testing.T, dir string) {
			putReport(t, dir, func(r *mcpsf.Report) { r.Artifact.Digest = "sha256:" + strings.Repeat("cd", 32) })
		}, notTheFacts},
		"report of another run": {func(t *testing.T, dir string) {
			other := sampleRun(t, func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event { r.Run.ID = "20260101-120000-00000000"; return e })
			put(t, dir, reportName, get(t, other, reportName))
		}, notTheEvents},
	}
	render := func(name string, _ *mcpsf.Report, _ []mcpsf.Event) ([][]byte, error) {
		if name == "report.html" {
			return [][]byte{[]byte("the page")}, nil
		}
		return nil, nil
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := gappyRun(t)
			if r := verified(t, packed(t, dir, nil).Path, &VerifyOptions{Render: render}); !r.OK() {
				t.Fatal(lines(r, StatusFailed))
			}
			tt.spoil(t, dir)
			for _, place := range []string{packed(t, dir, nil).Path, unbundled(t, dir)} {
				if strings.HasPrefix(tt.want, "files: report.") && !strings.HasSuffix(place, ".zst") {
					continue // only a bundle lists its files
				}
				got := lines(verified(t, place, &VerifyOptions{Render: render}), StatusFailed)
				if !slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, tt.want) }) {
					// Without a bundle nothing says which rules judged: a forged text is a note there.
					if !strings.HasSuffix(place, ".zst") && name == "text of a finding" {
						continue
					}
					if !strings.HasSuffix(place, ".zst") && len(got) > 0 {
						continue
					}
					t.Errorf("%s: got %q, want %q", place, got, tt.want)
				}
			}
		})
	}
}

// gappyRun is a run whose coverage has a gap.
func gappyRun(t *testing.T) string {
	t.Helper()
	return sampleRun(t, func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
		r.Coverage.Gaps = append(r.Coverage.Gaps, mcpsf.Gap{Code: "late-work", Text: "work that begins later"})
		judge.Conclude(r)
		return e
	})
}

// unbundled copies the files of a run without the bundle.
func unbundled(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range []string{reportName, eventsName, trafficName} {
		put(t, to, name, get(t, dir, name))
	}
	return to
}

// TestRecomputed: who recomputes everything but keeps the events is found by
// judging again, whatever rules and version they claim.
func TestRecomputed(t *testing.T) {
	for name, rules := range map[string]string{"today's rules": builtin(t).Digest(), "other rules": "sha256:00", "unknown rules": ""} {
		dir := sampleRun(t, func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event { cleared(r); return e })
		b, err := Pack(t.Context(), dir, &Options{Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		if got := lines(verified(t, b.Path, nil), StatusFailed); len(got) == 0 || !strings.HasPrefix(got[0], "judgement: ") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestForgedWhole: what no check can see. Somebody who writes other events and
// everything that follows from them is believed, unless a signature is required.
func TestForgedWhole(t *testing.T) {
	events := renumbered(slices.Delete(sampleEvents(), 3, 5))
	r := sampleReport(t, sampleEvents())
	if err := judge.Apply(r, events, builtin(t)); err != nil {
		t.Fatal(err)
	}
	dir := writtenRun(t, r, events)
	b := packed(t, dir, nil)
	if r := verified(t, b.Path, nil); !r.OK() {
		t.Error(lines(r, StatusFailed))
	}
	public, _ := testKey(t)
	want := []string{"signature: there is no evidence.intoto.jsonl: nobody signed it"}
	if diff := cmp.Diff(want, lines(verified(t, b.Path, &VerifyOptions{Key: public}), StatusFailed)); diff != "" {
		t.Error(diff)
	}
}
