package rules

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/message"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// formed returns a rule with a sequence or count instead of "when", without tests.
func formed(t testing.TB, form string) *Set {
	t.Helper()
	text := "id: sample\ntitle: A sample\ncategory: behaviour\nseverity: low\ngrade: proved\nweight: 5\nmessage: 'seen {{.Subject}}'\nrationale: because\nremediation: stop\n" + form
	r, problems := rulefile.ParseHead("sample.yaml", []byte(text+"\ntests:\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return &Set{rules: []*rulefile.Compiled{r}}
}

const (
	// droppedForm is about one file, askedForm about one call, silentForm about
	// an absent event.
	droppedForm = `
sequence:
  by: file
  within: run
  steps:
    - {name: written, kinds: [file.write], when: Error == ""}
    - {kinds: [file.chmod], when: Error == ""}
    - {kinds: [process.exec], when: Error == ""}
`
	timedForm = `
sequence:
  by: process
  within: 30s
  steps:
    - {name: read, kinds: [file.read], when: 'Path startsWith "/secret"'}
    - {name: written, kinds: [file.write], when: 'true'}
    - {kinds: [net.connect], when: 'Address == "192.0.2.1" && basename(read.Path) == basename(written.Path)'}
`
	callForm = `
sequence:
  by: none
  within: call
  steps:
    - {kinds: [file.read], when: 'true'}
    - {kinds: [net.connect], when: 'true'}
`
)

// stream makes the events of a test: each is "T KIND CALL PID SUBJECT [TO]", and
// "box" is another start of the server.
func stream(lines ...string) []mcpsf.Event {
	var events []mcpsf.Event
	for i, l := range lines {
		e := mcpsf.Event{Seq: int64(i + 1), Phase: mcpsf.PhaseDrive}
		if l == "box" {
			e.Kind, e.Phase = mcpsf.KindSandboxStart, mcpsf.PhaseStart
			events = append(events, e)
			continue
		}
		var kind, call, subject, to string
		if n, err := fmt.Sscan(l, &e.T, &kind, &call, &e.PID, &subject, &to); n < 5 {
			panic(fmt.Sprint(l, err))
		}
		e.Kind, e.Call = mcpsf.Kind(kind), strings.Trim(call, "-")
		switch family, _, _ := strings.Cut(kind, "."); family {
		case "file":
			e.File = &mcpsf.FileDetail{Path: subject, To: to}
		case "process":
			e.Process = &mcpsf.ProcessDetail{Path: subject, Args: []string{subject, to}}
		case "net":
			e.Net = &mcpsf.NetDetail{Family: "ip4", Type: "stream", Address: subject, Port: 443}
		case "canary":
			e.Canary = &mcpsf.CanaryDetail{ID: to, Kind: "ssh-key", Source: subject}
		}
		events = append(events, e)
	}
	return events
}

func TestSequences(t *testing.T) {
	absent := func(within, by string, steps ...string) string {
		return "sequence:\n  by: " + by + "\n  within: " + within + "\n  steps:\n    - " + strings.Join(steps, "\n    - ") + "\n"
	}
	const (
		read    = "{kinds: [file.read], when: 'true'}"
		noWrite = "{absent: true, kinds: [file.write], when: 'true'}"
		connect = "{kinds: [net.connect], when: 'true'}"
	)
	tests := []struct {
		name   string
		form   string
		events []mcpsf.Event
		want   [][]int64 // the evidence of each finding
	}{
		{"three steps", droppedForm, stream("1 file.write - 1 /tmp/x", "2 file.chmod - 1 /tmp/x", "3 process.exec - 2 /tmp/x"), [][]int64{{1, 2, 3}}},
		{"out of order", droppedForm, stream("1 file.chmod - 1 /tmp/x", "2 file.write - 1 /tmp/x", "3 process.exec - 2 /tmp/x"), nil},
		{"another file", droppedForm, stream("1 file.write - 1 /tmp/x", "2 file.chmod - 1 /tmp/x", "3 process.exec - 2 /tmp/y"), nil},
		{"the file is moved", droppedForm, stream("1 file.write - 1 /tmp/x", "2 file.rename - 1 /tmp/x /tmp/y", "3 file.chmod - 1 /tmp/y", "4 file.rename - 1 /tmp/y /tmp/z", "5 process.exec - 2 /tmp/z"), [][]int64{{1, 3, 5}}},
		{"what has taken its place", droppedForm, stream("1 file.write - 1 /tmp/x", "2 file.rename - 1 /tmp/x /tmp/y", "3 file.chmod - 1 /tmp/x", "5 process.exec - 2 /tmp/x"), nil},
		{"a link to it", droppedForm, stream("1 file.write - 1 /tmp/x", "2 file.chmod - 1 /tmp/x", "3 file.link - 1 /tmp/x /tmp/y", "4 process.exec - 2 /tmp/y"), [][]int64{{1, 2, 4}}},
		{"given to an interpreter", droppedForm, stream("1 file.write - 1 /tmp/x", "2 file.chmod - 1 /tmp/x", "3 process.exec - 2 /usr/bin/python3 /tmp/x"), [][]int64{{1, 2, 3}}},
		{"over a restart", droppedForm, stream("1 file.write - 1 /tmp/x", "2 file.chmod - 1 /tmp/x", "box", "3 process.exec - 2 /tmp/x"), [][]int64{{1, 2, 4}}},
		{"run twice", droppedForm, stream("1 file.write - 1 /tmp/x", "2 file.chmod - 1 /tmp/x", "3 process.exec - 2 /tmp/x", "4 process.exec - 2 /tmp/x"), [][]int64{{1, 2, 3, 4}}},

		{"in time", timedForm, stream("1 file.read - 1 /secret/a", "2 file.write - 1 /tmp/a", "31 net.connect - 1 192.0.2.1"), [][]int64{{1, 2, 3}}},
		{"too late", timedForm, stream("1 file.read - 1 /secret/a", "2 file.write - 1 /tmp/a", "31.1 net.connect - 1 192.0.2.1"), nil},
		{"another process", timedForm, stream("1 file.read - 1 /secret/a", "2 file.write - 1 /tmp/a", "3 net.connect - 2 192.0.2.1"), nil},
		{"the same number after a restart", timedForm, stream("1 file.read - 1 /secret/a", "2 file.write - 1 /tmp/a", "box", "3 net.connect - 1 192.0.2.1"), nil},
		{"steps that lead nowhere hide nothing", timedForm, stream("1 file.read - 1 /secret/b", "1 file.read - 1 /secret/a", "2 file.write - 1 /tmp/c", "2 file.write - 1 /tmp/a", "2 file.write - 1 /tmp/c", "2 file.read - 1 /secret/c", "3 net.connect - 1 192.0.2.1"), [][]int64{{2, 4, 7}}},
		{"the names differ", timedForm, stream("1 file.read - 1 /secret/a", "2 file.write - 1 /tmp/b", "3 net.connect - 1 192.0.2.1"), nil},

		{"in a call", callForm, stream("1 file.read c1 1 /x", "2 net.connect c1 2 192.0.2.1"), [][]int64{{1, 2}}},
		{"in two calls", callForm, stream("1 file.read c1 1 /x", "2 net.connect c2 2 192.0.2.1"), nil},
		{"before any call", callForm, stream("1 file.read - 1 /x", "2 net.connect - 2 192.0.2.1"), [][]int64{{1, 2}}},
		{"in calls of the same name", callForm, stream("1 file.read c1 1 /x", "box", "2 net.connect c1 2 192.0.2.1"), nil},

		{"nothing follows in the call", absent("call", "none", read, noWrite), stream("1 file.read c1 1 /x", "2 file.write c2 1 /y"), [][]int64{{1}}},
		{"something follows in the call", absent("call", "none", read, noWrite), stream("1 file.read c1 1 /x", "90 file.write c1 1 /y"), nil},
		{"something follows in the call, after other things", absent("call", "none", read, noWrite), stream("1 file.read c1 1 /x", "50 net.connect c1 1 192.0.2.1", "90 file.write c1 1 /y"), nil},
		{"something follows in the run, after other things", absent("run", "none", read, noWrite), stream("1 file.read c1 1 /x", "50 net.connect c1 1 192.0.2.1", "box", "90 net.connect c1 1 192.0.2.1", "91 file.write c1 1 /y"), nil},
		{"something was there before", absent("call", "none", read, noWrite), stream("1 file.write c1 1 /y", "2 file.read c1 1 /x"), [][]int64{{2}}},
		{"nothing follows in time", absent("30s", "none", read, noWrite), stream("1 file.read c1 1 /x", "31.5 file.write c1 1 /y"), [][]int64{{1}}},
		{"something follows in time", absent("30s", "none", read, noWrite), stream("1 file.read c1 1 /x", "30.5 file.write c1 1 /y", "90 net.connect c1 1 192.0.2.1"), nil},
		{"nothing follows before the end", absent("run", "none", read, noWrite), stream("1 file.read c1 1 /x", "box", "500 net.connect c1 1 192.0.2.1"), [][]int64{{1}}},
		{"something follows before the end", absent("run", "none", read, noWrite), stream("1 file.read c1 1 /x", "box", "500 file.write c1 1 /z"), nil},
		{"by file, one of two", absent("run", "file", read, noWrite), stream("1 file.read c1 1 /x", "1 file.read c1 1 /y", "5 file.write c1 1 /x"), [][]int64{{2}}},
		{"nothing came before", absent("call", "none", noWrite, read), stream("1 file.write c1 1 /x", "2 file.read c2 1 /x"), [][]int64{{2}}},
		{"something came before", absent("call", "none", noWrite, read), stream("1 file.write c2 1 /x", "2 file.read c2 1 /x"), nil},
		{"something came long before", absent("30s", "none", noWrite, read), stream("1 file.write c2 1 /x", "40 file.read c2 1 /x"), [][]int64{{2}}},
		{"nothing in between", absent("run", "none", read, noWrite, connect), stream("1 file.read - 1 /x", "3 net.connect - 1 192.0.2.1"), [][]int64{{1, 2}}},
		{"something in between", absent("run", "none", read, noWrite, connect), stream("1 file.read - 1 /x", "2 file.write - 1 /x", "3 net.connect - 1 192.0.2.1"), nil},
		{"something in between, and once more", absent("run", "none", read, noWrite, connect), stream("1 file.read - 1 /x", "2 file.write - 1 /x", "2 file.read - 1 /y", "3 net.connect - 1 192.0.2.1"), [][]int64{{3, 4}}},
		{"one event is not two steps", absent("run", "none", read, read), stream("1 file.read - 1 /x"), nil},
		{"what begins does not end itself", absent("run", "none", read, "{absent: true, kinds: [file.read], when: 'true'}"), stream("1 file.read - 1 /x"), [][]int64{{1}}},
		{"by flow", absent("run", "flow", connect, connect), stream("1 net.connect - 1 192.0.2.1", "2 net.connect - 1 192.0.2.2", "3 net.connect - 1 192.0.2.1"), [][]int64{{1, 3}}},
		{"by canary", absent("run", "canary", "{kinds: [canary.read], when: 'true'}", "{kinds: [canary.read], when: 'true'}"), stream("1 canary.read - 1 /a a1", "2 canary.read - 1 /b b1", "3 canary.read - 1 /a a1"), [][]int64{{1, 3}}},
		{"without what it is joined by", absent("run", "canary", read, read), stream("1 file.read - 1 /x", "2 file.read - 1 /x"), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got [][]int64
			for _, f := range evaluate(t, formed(t, tt.form), tt.events, testScope()) {
				got = append(got, f.Evidence)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The message names the steps; the finding is about the last one.
func TestSequenceIsTold(t *testing.T) {
	set := formed(t, strings.Replace(droppedForm, "\nsequence", "group: [subject]\nsequence", 1))
	told, err := message.Compile("message", "{{.written.Path}} was written {{.written.Where}} and is run as {{.Path}} {{.Where}}", []string{"written"})
	if err != nil {
		t.Fatal(err)
	}
	set.rules[0].Message = told
	set.rules[0].Chain.Steps[0].Kept = true
	events := append([]mcpsf.Event{request("c1", "save", "{}"), request("c2", "open", "{}")},
		stream("1 file.write c1 1 /tmp/x", "2 file.rename c1 1 /tmp/x /tmp/y", "3 file.chmod c1 1 /tmp/y", "4 process.exec c2 2 /tmp/y")...)
	for i := range events {
		events[i].Seq = int64(i + 1)
	}
	got := evaluate(t, set, events, testScope())
	if len(got) != 1 || got[0].Message != `/tmp/x was written in a call of save and is run as /tmp/y in a call of open` || got[0].Tool != "open" {
		t.Errorf("%+v", got)
	}
}

func TestRates(t *testing.T) {
	const reads = "kinds: [file.read]\nwhen: 'true'\ngroup: []\n"
	lines := func(step float64, n int, path string) (out []string) {
		for i := range n {
			name := path
			if strings.HasSuffix(path, "-") {
				name += fmt.Sprint(string(rune('a' + i)))
			}
			out = append(out, fmt.Sprintf("%g file.read - 1 %s", float64(i)*step, name))
		}
		return out
	}
	tests := []struct {
		name   string
		form   string
		events []mcpsf.Event
		want   []int64
	}{
		{"fast enough", "count: {min: 4, per: 3s}\n", stream(lines(1, 6, "/x")...), []int64{1, 2, 3, 4}},
		{"too slow", "count: {min: 4, per: 3s}\n", stream(lines(1.01, 60, "/x")...), nil},
		{"fast at last", "count: {min: 3, per: 1s}\n", append(stream(lines(2, 3, "/x")...), stream("7 file.read - 1 /x", "7.1 file.read - 1 /x", "7.2 file.read - 1 /x")...), []int64{4, 5, 6}},
		{"distinct", "count: {min: 4, per: 3s, distinct: subject}\n", stream(lines(1, 6, "/x-")...), []int64{1, 2, 3, 4}},
		{"the same again and again", "count: {min: 4, per: 3s, distinct: subject}\n", stream(lines(0.1, 60, "/x")...), nil},
		{"over a restart", "count: {min: 3, per: 9s}\n", stream("1 file.read - 1 /x", "1 file.read - 1 /x", "box", "1 file.read - 1 /x", "1 file.read - 1 /x"), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for i := range tt.events {
				tt.events[i].Seq = int64(i + 1)
			}
			var got []int64
			for _, f := range evaluate(t, formed(t, reads+tt.form), tt.events, testScope()) {
				got = f.Evidence
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A server that begins a million sequences and completes none stays within the
// bounds, and the judgement notes that not all were followed.
func TestManySequencesAreBounded(t *testing.T) {
	for _, form := range []string{droppedForm, timedForm, strings.Replace(droppedForm, "within: run", "within: call", 1),
		"sequence: {by: file, within: run, steps: [{absent: true, kinds: [file.write], when: 'true'}, {kinds: [net.connect], when: 'true'}]}\n",
		"sequence: {by: file, within: run, steps: [{kinds: [file.write], when: 'true'}, {absent: true, kinds: [net.connect], when: 'true'}]}\n",
	} {
		set := formed(t, form)
		p := newPass(set, nil, testScope())
		for i := range 20_000 {
			p.event(&mcpsf.Event{Seq: int64(i), Kind: mcpsf.KindFileWrite, PID: 1, T: 1, File: &mcpsf.FileDetail{Path: fmt.Sprintf("/tmp/%d", i)}})
			p.event(&mcpsf.Event{Seq: int64(i), Kind: mcpsf.KindFileRead, PID: 1, T: 1, File: &mcpsf.FileDetail{Path: fmt.Sprintf("/secret/%d", i)}})
		}
		tr := p.tracks[0].track
		if tr.size > maxOpen || len(tr.open) > maxOpen || len(tr.order) > 2*maxOpen || len(tr.seen) > maxSeen {
			t.Errorf("%d open, %d keys, %d in order, %d seen", tr.size, len(tr.open), len(tr.order), len(tr.seen))
		}
		if notes := p.notes(set); len(notes) != 1 || !IsNote(notes[0]) {
			t.Errorf("notes %+v", notes)
		}
	}
}

// More sequences of one key than are kept push out the oldest, one by one.
func TestManyLookBacksOfOneKey(t *testing.T) {
	lines := []string{}
	for i := range 3 * maxJoined {
		lines = append(lines, fmt.Sprintf("%d file.read c1 7 /secret/%d", i/20, i))
	}
	for i := range 3 * maxJoined {
		lines = append(lines, fmt.Sprintf("9 file.write c1 7 /out/%d", i))
	}
	lines = append(lines, "9 net.connect c1 7 192.0.2.1")
	set := formed(t, timedForm)
	if got := evaluate(t, set, stream(lines...), testScope()); len(got) > 1 {
		t.Errorf("%+v", got)
	}
}

func TestFacts(t *testing.T) {
	facts := []mcpsf.Fact{
		{Kind: "manifest.script", Path: "package.json", Text: "postinstall: node steal.js"},
		{Kind: "manifest.script", Path: "package.json", Text: "prepare: tsc"},
		{Kind: "manifest.confusion", Path: "sub/package.json", Text: "name"},
	}
	set := formed(t, "facts: [manifest.script]\nwhen: 'Detail contains \"postinstall\"'\n")
	judged, err := set.Evaluate(nil, facts, testScope())
	if err != nil || len(judged.Findings) != 1 {
		t.Fatalf("%v, %v", judged, err)
	}
	f := judged.Findings[0]
	f.Fingerprint = ""
	want := mcpsf.Finding{
		ID: "sample", Title: "A sample", Category: mcpsf.CategoryBehaviour, Severity: mcpsf.SeverityLow, Grade: mcpsf.GradeProved, Weight: 5, Message: `seen package.json`,
		Evidence: []int64{}, Occurrences: 1, Phase: mcpsf.PhaseInspect, File: "package.json", Reproduce: "look into package.json", Remediation: "stop",
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Error(diff)
	}
	for when, want := range map[string]int{
		`hasFact("manifest.script")`: 1, `hasFact("secret.key")`: 0, `hasFactText("manifest.script", "steal")`: 1, `hasFactText("manifest.script", "curl")`: 0,
		`hasFactFile("manifest.confusion", "/home/dev/code/server/sub/package.json")`: 1, `hasFactFile("manifest.confusion", "/x/ub/package.json")`: 0,
	} {
		set := formed(t, "kinds: [file.read]\nwhen: '"+when+"'\n")
		judged, err := set.Evaluate(stream("1 file.read - 1 /x"), facts, testScope())
		if err != nil || len(judged.Findings) != want {
			t.Errorf("%s: %v, %v", when, judged.Findings, err)
		}
	}
}

func TestFormsAreChecked(t *testing.T) {
	const steps = "[{kinds: [file.read], when: 'true'}, {kinds: [file.write], when: 'true'}]"
	tests := []struct{ name, form, want string }{
		{"two forms", "facts: [a.b]\nsequence: {by: file, within: run, steps: " + steps + "}", "sample.yaml:1: a rule has either kinds or a sequence or facts"},
		{"no form", "", "kinds is missing"},
		{"by", "sequence:\n  by: mail\n  within: run\n  steps: " + steps, `sample.yaml:11: sequence: by "mail" must be one of process, file, flow`},
		{"no by", "sequence:\n  within: run\n  steps: " + steps, `sample.yaml:11: sequence: by "" must be`},
		{"within", "sequence:\n  by: file\n  within: soon\n  steps: " + steps, `sample.yaml:12: within "soon" must be call, run or a time such as`},
		{"too long", "sequence:\n  by: file\n  within: 25h\n  steps: " + steps, `at most 24h`},
		{"a negative time", "sequence:\n  by: file\n  within: -3s\n  steps: " + steps, `within "-3s"`},
		{"one step", "sequence: {by: file, within: run, steps: [{kinds: [file.read], when: 'true'}]}", "there are 1 steps, it takes 2 to 8"},
		{"too many steps", "sequence: {by: file, within: run, steps: [" + strings.Repeat("{kinds: [file.read], when: 'true'}, ", 9) + "]}", "there are 9 steps"},
		{"no condition", "sequence:\n  by: file\n  within: run\n  steps:\n    - {kinds: [file.read]}\n    - {kinds: [file.read], when: 'true'}", "sample.yaml:14: step 1: when is missing"},
		{"kind of a step", "sequence:\n  by: file\n  within: run\n  steps:\n    - {kinds: [file.raed], when: 'true'}\n    - {kinds: [file.read], when: 'true'}", `sample.yaml:14: kinds: there is no kind "file.raed"`},
		{"condition of a step", "sequence:\n  by: file\n  within: run\n  steps:\n    - {kinds: [file.read], when: 'true'}\n    - {kinds: [file.read], when: 'Paht == 1'}", `sample.yaml:15: when: unknown name Paht`},
		{"field of a step", "sequence:\n  by: file\n  within: run\n  steps:\n    - {name: one, kinds: [file.read], when: 'true'}\n    - {kinds: [file.read], when: 'one.Paht == Path'}", `sample.yaml:15: when: unknown field Paht`},
		{"a step that is not there yet", "sequence:\n  by: file\n  within: run\n  steps:\n    - {kinds: [file.read], when: 'two.Path == Path'}\n    - {name: two, kinds: [file.read], when: 'true'}", `unknown name two`},
		{"name of a step", "sequence: {by: file, within: run, steps: [{name: Path, kinds: [file.read], when: 'true'}, {kinds: [file.read], when: 'true'}]}", `step "Path": a name is one word`},
		{"name that means something", "sequence: {by: file, within: run, steps: [{name: namedByUser, kinds: [file.read], when: 'true'}, {name: any, kinds: [file.read], when: 'true'}]}", `step "namedByUser": the name is a word of the language`},
		{"name twice", "sequence: {by: file, within: run, steps: [{name: a, kinds: [file.read], when: 'true'}, {name: a, kinds: [file.read], when: 'true'}]}", `step "a": there is another step`},
		{"name of nothing", "sequence: {by: file, within: run, steps: [{name: a, absent: true, kinds: [file.read], when: 'true'}, {kinds: [file.read], when: 'true'}]}", `step "a": what is absent cannot be looked at`},
		{"all absent", "sequence: {by: file, within: run, steps: [{absent: true, kinds: [file.read], when: 'true'}, {absent: true, kinds: [file.read], when: 'true'}]}", `all steps are absent`},
		{"a condition for all", "when: 'true'\nsequence: {by: file, within: run, steps: " + steps + "}", "sample.yaml:10: when: in a sequence every step has its own"},
		{"unknown field of a step", "sequence: {by: file, within: run, steps: [{kind: [file.read]}]}", "field kind not found"},
		{"rate without a number", "kinds: [file.read]\nwhen: 'true'\ncount: {min: 1, per: 3s}", "count: per goes with a min of at least 2"},
		{"rate with max", "kinds: [file.read]\nwhen: 'true'\ncount: {min: 2, max: 4, per: 3s}", "without max"},
		{"rate per what", "kinds: [file.read]\nwhen: 'true'\ncount: {min: 2, per: call}", `count: per "call" must be a time such as`},
		{"rate of facts", "facts: [manifest.script]\nwhen: 'true'\ncount: {min: 2, per: 3s}", "facts have no time"},
		{"kind of a fact", "facts: [Script]\nwhen: 'true'", `sample.yaml:10: facts: a kind is words joined by dots`},
		{"no kind of fact", "facts: []\nwhen: 'true'", `facts is empty`},
		{"taxonomy", "kinds: [file.read]\nwhen: 'true'\nmaps:\n  cwe: [CWE-22, '79']\n  owasp_mcp: [MCP11]\n  attack: [T12]\n  atlas: [T0051]\n  safe_mcp: [SAFE-1001]", `sample.yaml:13: maps: cwe: "79" is no id of that list, they look like CWE-22`},
		{"taxonomy twice", "kinds: [file.read]\nwhen: 'true'\nmaps: {cwe: [CWE-22, CWE-22]}", `"CWE-22" stands there twice`},
		{"not part of the language", "kinds: [file.read]\nwhen: 'let x = Path; x == \"\"'", `is not part of the language of rules`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := "id: sample\ntitle: A sample\ncategory: behaviour\nseverity: low\ngrade: proved\nweight: 5\nmessage: 'seen {{.Subject}}'\nrationale: because\nremediation: stop\n" + tt.form + "\n"
			_, err := Load(fstest.MapFS{"sample.yaml": {Data: []byte(text)}})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestTestsOfFacts(t *testing.T) {
	text := strings.NewReplacer("kinds: [file.open]", "facts: [manifest.script]", `Path == "/x"`, `Detail == "x"`,
		"events: [{kind: file.open, phase: start, file: {path: /x}}]", "facts: [{kind: manifest.script, path: a.json, text: x}]",
		"events: [{kind: file.open, phase: start, file: {path: /y}}]", "facts: [{kind: manifest.script, path: a.json, text: y}]").Replace(good)
	set, err := loadText(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Test(); err != nil {
		t.Error(err)
	}
	if _, err := loadText(strings.Replace(text, "text: x", "txet: x", 1)); err == nil || !strings.Contains(err.Error(), `not a fact: json: unknown field "txet"`) {
		t.Errorf("got %v", err)
	}
}
