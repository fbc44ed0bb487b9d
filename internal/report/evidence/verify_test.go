package evidence

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/judge"
)

func TestVerify(t *testing.T) {
	public, private := testKey(t)
	dir := sampleRun(t, nil)
	b := packed(t, dir, &Options{Key: private})
	r := verified(t, dir, &VerifyOptions{Key: public})
	var got []string
	for _, c := range r.Checks {
		got = append(got, string(c.Status)+" "+c.Name)
	}
	want := []string{
		"ok archive", "ok hashes", "ok report", "ok manifest", "note manifest", "ok events", "ok transcript", "ok files", "ok inputs", "ok evidence",
		"ok coverage", "ok judgement", "ok verdict", "ok signature", "ok statement", "ok beside",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	moved := filepath.Join(t.TempDir(), "other.tar.zst")
	if err := os.Rename(b.Path, moved); err != nil {
		t.Fatal(err)
	}
	if r := verified(t, moved, nil); !r.OK() {
		t.Errorf("a bundle that was moved: %v", lines(r, StatusFailed))
	}
}

// A static finding has no event, and that is no contradiction unless the package was not read.
func TestVerifyStaticFinding(t *testing.T) {
	for name, inspection := range map[string]*mcpsf.Inspection{"read": {}, "not read": nil} {
		dir := sampleRun(t, func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			r.Facts = []mcpsf.Fact{{Kind: "code.credential-read", Path: "a.js", Line: 4, Name: "readFileSync", Text: "~/.ssh/id_rsa"}}
			r.Inspection = inspection
			if err := judge.Apply(r, e, builtin(t)); err != nil {
				t.Fatal(err)
			}
			return e
		})
		packed(t, dir, &Options{})
		failed := lines(verified(t, dir, nil), StatusFailed)
		if inspection != nil && len(failed) > 0 || inspection == nil && !slices.Contains(failed, "evidence: source-credential-access names no event") {
			t.Errorf("%s: %q", name, failed)
		}
	}
}

// TestVerifyForged: the bundle is complete and every hash is right, but its
// content is inconsistent.
func TestVerifyForged(t *testing.T) {
	tests := map[string]struct {
		forge func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event
		want  []string
	}{
		"the finding taken out": {func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			r.Findings = nil
			judge.Conclude(r)
			return e
		}, []string{"judgement: decoy-read"}},
		"the finding played down": {func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			r.Findings[0].Severity, r.Findings[0].Weight = mcpsf.SeverityInfo, 0
			judge.Conclude(r)
			return e
		}, []string{"judgement: the report has decoy-read"}},
		"a finding made up": {func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			f := r.Findings[0]
			f.ID, f.Evidence = "made-up\x1b[2J", []int64{5}
			r.Findings = append(r.Findings, f)
			judge.Conclude(r)
			return e
		}, []string{"judgement: the report has made-up"}},
		"the verdict alone": {func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			r.Verdict = mcpsf.Verdict{Band: mcpsf.BandPass, Action: "deploy"}
			return e
		}, []string{"verdict: the findings and the coverage lead to"}},
		"the summary alone": {func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			r.Summary = "All is well."
			return e
		}, []string{"verdict: the summary or the recommendations"}},
		"events that are not there": {func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			r.Findings[0].Evidence = []int64{-1, 0, 5, 9, 1 << 62}
			return e
		}, []string{
			"evidence: decoy-read names event -1, and there are 8", "evidence: decoy-read names event 0, and there are 8",
			"evidence: decoy-read names event 9, and there are 8", "evidence: decoy-read names event 4611686018427387904, and there are 8",
			"judgement: the report has decoy-read",
		}},
		"no events at all": {func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			r.Findings[0].Evidence = nil
			return e
		}, []string{"evidence: decoy-read names no event", "judgement: the report has decoy-read"}},
		"events of another kind": {func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			r.Findings[0].Evidence = []int64{1}
			return e
		}, []string{"evidence: decoy-read names event 1, which is sandbox.start", "judgement: the report has decoy-read"}},
		"the decoy's event taken out": {func(_ *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			e = slices.Delete(e, 4, 5)
			for i := range e {
				e[i].Seq = int64(i + 1)
			}
			return e
		}, []string{"evidence: decoy-read names event 5, which is mcp.response", "judgement: the report has decoy-read"}},
		"what was used": {func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			r.Accesses = nil
			return e
		}, []string{"judgement: the report has another list of what the server used"}},
		"coverage": {func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			r.Coverage.Events = mcpsf.EventTotals{Produced: 9, Received: 4, Lost: 0, Complete: true}
			r.Coverage.Phases = []mcpsf.Phase{mcpsf.PhaseStart, mcpsf.PhaseAttack, mcpsf.PhaseStop, mcpsf.PhaseDrive}
			r.Coverage.Limits = []mcpsf.LimitStatus{{Name: mcpsf.LimitDisk, Hit: true}}
			r.Coverage.Calls.OK = 3
			judge.Conclude(r)
			return e
		}, []string{
			"coverage: 3 calls are counted, and 1 listed",
			"coverage: 4 observations were received from the kernel, and the events have 5",
			"coverage: 9 produced and 4 received are not 0 lost",
			`coverage: phase "attack" is said to have been, and has no event`,
			`coverage: whether the limit of "disk" was reached`,
		}},
		"a remote run": {func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
			r.Coverage.Remote = true
			judge.Conclude(r)
			return e
		}, []string{"coverage: 12 events were received, and there are 7"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := packed(t, sampleRun(t, tt.forge), nil)
			got := lines(verified(t, b.Path, nil), StatusFailed)
			for i := range got {
				if i < len(tt.want) && strings.HasPrefix(got[i], tt.want[i]) {
					got[i] = tt.want[i]
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestVerifyByOthers: different findings of another version are noted, not failed.
func TestVerifyByOthers(t *testing.T) {
	dir := sampleRun(t, func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
		r.Findings[0].Message = "in other words"
		return e
	})
	const differs = "judgement: the report has decoy-read"
	tests := map[string]struct {
		rules, version, want string
	}{
		"another version": {builtin(t).Digest(), "v2", "judgement: the rules are the same, but mcpsf was v1.2.3 and is v2"},
		"other rules":     {"sha256:00", testVersion, "judgement: the rules were others (sha256:00)"},
		"not said":        {"", testVersion, "judgement: the manifest does not say"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := Pack(t.Context(), dir, &Options{Rules: tt.rules, Out: filepath.Join(t.TempDir(), BundleName)})
			if err != nil {
				t.Fatal(err)
			}
			r := verified(t, b.Path, &VerifyOptions{Version: tt.version})
			notes := lines(r, StatusNote)
			if !r.OK() || len(notes) != 4 || !strings.HasPrefix(notes[1], tt.want) || !strings.HasPrefix(notes[2], differs) {
				t.Errorf("failed %v, notes %v", lines(r, StatusFailed), notes)
			}
		})
	}
}

func TestVerifyWaived(t *testing.T) {
	dir := sampleRun(t, func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
		for _, f := range r.Findings {
			r.Waived = append(r.Waived, mcpsf.Waived{Finding: f, Reason: "known", Until: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), File: "mcpsf.yaml"})
		}
		r.Findings = nil
		judge.Conclude(r)
		return e
	})
	r := verified(t, packed(t, dir, nil).Path, nil)
	if notes := strings.Join(lines(r, StatusNote), "\n"); !r.OK() || !strings.Contains(notes, "waivers leave") {
		t.Error(lines(r, StatusFailed), notes)
	}
}

// A model's opinions on findings, some of which were waived later, contradict
// nothing.
func TestVerifyOpinion(t *testing.T) {
	dir := sampleRun(t, func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
		for i := range r.Findings {
			r.Findings[i].Opinion = &mcpsf.Opinion{Model: "m", Stance: mcpsf.StanceDisagrees, Text: "It may be harmless."}
		}
		r.SecondOpinion = &mcpsf.SecondOpinion{Model: "m", Asked: 1, Answered: 1, Suspicions: []mcpsf.Suspicion{}}
		r.Coverage.Gaps = append(r.Coverage.Gaps, gap.Detailed(gap.ModelReview, "a second opinion on 3 texts: m refused to answer"))
		r.Waived = []mcpsf.Waived{{Finding: r.Findings[0], Reason: "known", File: "mcpsf.yaml"}}
		r.Findings = r.Findings[1:]
		judge.Conclude(r)
		return e
	})
	if r := verified(t, packed(t, dir, nil).Path, nil); !r.OK() {
		t.Error(lines(r, StatusFailed))
	}
}

// TestVerifyQuiet: a server that did nothing has empty lists, as in written
// reports.
func TestVerifyQuiet(t *testing.T) {
	dir := sampleRun(t, func(r *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
		e = slices.Concat(e[:1], e[2:3], e[5:])
		for i := range e {
			e[i].Seq = int64(i + 1)
		}
		if err := judge.Apply(r, e, builtin(t)); err != nil {
			t.Fatal(err)
		}
		if len(r.Accesses)+len(r.Findings) > 0 {
			t.Error("the server did something", r.Accesses, r.Findings)
		}
		r.Accesses, r.Findings = []mcpsf.Access{}, []mcpsf.Finding{}
		r.Recommendations = append([]string{}, r.Recommendations...)
		return e
	})
	if r := verified(t, packed(t, dir, nil).Path, nil); !r.OK() {
		t.Error(lines(r, StatusFailed))
	}
}

func TestVerifyDirectory(t *testing.T) {
	dir := sampleRun(t, nil)
	r := verified(t, dir, nil)
	if notes := lines(r, StatusNote); !r.OK() || len(notes) != 2 || !strings.HasPrefix(notes[0], "archive: there is no evidence.tar.zst") {
		t.Errorf("failed %v, notes %v", lines(r, StatusFailed), notes)
	}
	public, _ := testKey(t)
	r = verified(t, dir, &VerifyOptions{Key: public})
	if diff := cmp.Diff([]string{"signature: there is no bundle, and thus no signature"}, lines(r, StatusFailed)); diff != "" {
		t.Error(diff)
	}
	packed(t, dir, nil)
	put(t, dir, reportName, []byte("{}"))
	r = verified(t, dir, nil)
	if diff := cmp.Diff([]string{"beside: report.json beside the bundle is not the one in it"}, lines(r, StatusFailed)); diff != "" {
		t.Error(diff)
	}
}

// TestVerifyHostileDirectory: nothing outside the directory is read, and nothing blocks.
func TestVerifyHostileDirectory(t *testing.T) {
	tests := map[string]struct {
		spoil func(t *testing.T, dir string)
		want  string
	}{
		"link":   {func(t *testing.T, dir string) { replaceByLink(t, dir, eventsName, "/dev/zero") }, "files: events.jsonl is not a plain file"},
		"gap":    {func(t *testing.T, dir string) { cutEvents(t, dir, 2) }, "events: events.jsonl: trace is damaged: event 4 where 3 is due"},
		"cut":    {func(t *testing.T, dir string) { put(t, dir, eventsName, get(t, dir, eventsName)[:900]) }, "events: events.jsonl: reading event"},
		"gone":   {func(_ *testing.T, dir string) { _ = os.Remove(filepath.Join(dir, eventsName)) }, "events: there is no events.jsonl"},
		"nested": {func(t *testing.T, dir string) { put(t, dir, reportName, []byte(strings.Repeat("[", 1e7))) }, "report: report.json: it is not a report of mcpsf: "},
		"nested inside": {func(t *testing.T, dir string) {
			put(t, dir, reportName, []byte(`{"session":{"capabilities":`+strings.Repeat("[", 5e5)))
		}, "report: report.json: it is not a report of mcpsf: "},
		"many values": {func(t *testing.T, dir string) {
			put(t, dir, reportName, []byte(`{"findings":[`+strings.Repeat("0,", maxValues)+`0]}`))
		}, "report: report.json: it is not a report of mcpsf: it has more than 1048576 values"},
		"large": {func(t *testing.T, dir string) {
			put(t, dir, reportName, []byte(`{"summary":"`+strings.Repeat("a", maxReport)+`"}`))
		}, "report: report.json: it is not a report of mcpsf: it is larger than 64 MiB"},
		"more after its end": {func(t *testing.T, dir string) {
			put(t, dir, reportName, append(get(t, dir, reportName), ']'))
		}, "report: report.json: it goes on after its end"},
		"not JSON": {func(t *testing.T, dir string) { put(t, dir, reportName, []byte("\x1b[2J")) }, "report: report.json: it is not a report of mcpsf: "},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := sampleRun(t, nil)
			tt.spoil(t, dir)
			got := lines(verified(t, dir, nil), StatusFailed)
			if len(got) == 0 || !strings.HasPrefix(got[0], tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestNothingToVerify(t *testing.T) {
	for _, name := range []string{filepath.Join(t.TempDir(), "nowhere"), t.TempDir(), "/dev/null"} {
		_, err := Verify(t.Context(), name, &VerifyOptions{Rules: builtin(t)})
		if e, ok := errors.AsType[*mcpsf.Error](err); !ok || e.Code != mcpsf.CodeUsage {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestImpossibleEvents: no run makes events without the detail of their kind,
// but a forger may write them.
func TestImpossibleEvents(t *testing.T) {
	kinds := map[mcpsf.Kind]bool{mcpsf.KindMCPRequest: true, mcpsf.KindSandboxStart: true}
	for _, r := range builtin(t).Rules() {
		for _, k := range r.Kinds {
			kinds[k] = true
		}
	}
	for kind := range kinds {
		t.Run(string(kind), func(t *testing.T) {
			dir := sampleRun(t, func(_ *mcpsf.Report, e []mcpsf.Event) []mcpsf.Event {
				return append(e, mcpsf.Event{Seq: 8, Kind: kind}, mcpsf.Event{Seq: 9, Kind: kind, Call: "c1", PID: 1, PPID: 1, Phase: mcpsf.PhaseInstall})
			})
			r := verified(t, packed(t, dir, nil).Path, nil)
			for _, line := range lines(r, StatusFailed) {
				if strings.Contains(line, "cannot be applied") {
					t.Log(line)
				}
			}
		})
	}
}

func replaceByLink(t *testing.T, dir, name, to string) {
	t.Helper()
	if err := errors.Join(os.Remove(filepath.Join(dir, name)), os.Symlink(to, filepath.Join(dir, name))); err != nil {
		t.Fatal(err)
	}
}

// cutEvents removes one line.
func cutEvents(t *testing.T, dir string, at int) {
	t.Helper()
	all := strings.SplitAfter(string(get(t, dir, eventsName)), "\n")
	put(t, dir, eventsName, []byte(strings.Join(slices.Delete(all, at, at+1), "")))
}
