package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// judgedAs is a finished run with this verdict.
func judgedAs(behaviour, weakness mcpsf.Band, level mcpsf.ConfidenceLevel) *mcpsf.Report {
	r := &mcpsf.Report{}
	r.Session.Initialized = true
	r.Verdict.Behaviour.Band, r.Verdict.Weakness.Band, r.Verdict.Band = behaviour, weakness, behaviour
	r.Verdict.Confidence = mcpsf.Confidence{Level: level, Reasons: []string{"why"}}
	return r
}

// The verdict alone decides, and of it what it says about the behaviour.
func TestJudgeIntegrity(t *testing.T) {
	pass, low, medium := mcpsf.BandPass, mcpsf.BandLow, mcpsf.BandMedium
	for _, tt := range []struct {
		name                string
		behaviour, weakness mcpsf.Band
		level               mcpsf.ConfidenceLevel
		want                outcome
	}{
		{"found", medium, pass, mcpsf.ConfidenceHigh, caught},
		{"found, though little was seen", medium, pass, mcpsf.ConfidenceMedium, caught},
		{"no verdict", mcpsf.BandInconclusive, mcpsf.BandInconclusive, mcpsf.ConfidenceLow, caught},
		{"only weak, and incomplete", mcpsf.BandInconclusive, medium, mcpsf.ConfidenceLow, caught},
		{"passed, limited", pass, pass, mcpsf.ConfidenceMedium, limited},
		{"low, limited", low, pass, mcpsf.ConfidenceMedium, limited},
		{"passed", pass, pass, mcpsf.ConfidenceHigh, bought},
		{"low", low, pass, mcpsf.ConfidenceHigh, bought},
		{"only weak", pass, medium, mcpsf.ConfidenceHigh, bought},
	} {
		e := &example{Name: "x", Malicious: true, Class: integrity}
		if got := judge(e, judgedAs(tt.behaviour, tt.weakness, tt.level), nil); got.outcome != tt.want || got.confidence != tt.level {
			t.Errorf("%s: %s %s, want %s", tt.name, got.outcome, got.confidence, tt.want)
		}
	}
	unstarted := judgedAs(mcpsf.BandInconclusive, mcpsf.BandInconclusive, mcpsf.ConfidenceLow)
	unstarted.Session.Initialized = false
	if got := judge(&example{Malicious: true, Class: integrity}, unstarted, nil); got.outcome != broken {
		t.Errorf("what never ran is %s", got.outcome)
	}
}

// A case file of this class needs a twin, but neither rules nor leaks.
func TestIntegrityCase(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"x", "title: T\nmalicious: true\nclass: integrity\ntwin: ok-x\npackage: p\n", ""},
		{"x", "title: T\nmalicious: true\nclass: integrity\ntwin: ok-x\npackage: p\nexpect: {severity: low}\n", "at least medium"},
		{"x", "title: T\nmalicious: true\nclass: integrity\npackage: p\n", "no twin"},
		{"ok-x", "title: T\nclass: integrity\npackage: p\nexpect: {severity: low}\n", ""},
		{"ok-x", "title: T\nclass: integrity\npackage: p\n", "no severity"},
	} {
		dir := filepath.Join(t.TempDir(), tt.name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string]string{caseFile: tt.file, "server.py": ""} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		e, err := read(dir)
		if err == nil {
			err = e.check()
		}
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%q: %v, want %q", tt.file, err, tt.want)
		}
		if err == nil && e.profile() != "balanced" {
			t.Errorf("%s is assessed with the profile %s", tt.name, e.profile())
		}
	}
}

// purchases are one server of each outcome, a twin of their class, and one that
// another class has, too.
func purchases() []*result {
	bad := func(name, twin string, o outcome, band mcpsf.Band) *result {
		return &result{example: &example{Name: name, Title: "T", Class: integrity, Malicious: true, Twin: twin}, outcome: o, band: band}
	}
	ok := func(name, class string, o outcome, band mcpsf.Band, level mcpsf.ConfidenceLevel) *result {
		return &result{example: &example{Name: name, Title: "T", Class: class}, outcome: o, band: band, confidence: level}
	}
	return []*result{
		bad("found", "ok-own", caught, mcpsf.BandHigh), bad("unclear", "ok-own", caught, mcpsf.BandInconclusive),
		bad("half", "ok-own", limited, mcpsf.BandPass), bad("gone", "ok-a", bought, mcpsf.BandPass),
		ok("ok-own", integrity, quiet, mcpsf.BandPass, mcpsf.ConfidenceHigh),
		ok("ok-loud", integrity, falseAlarm, mcpsf.BandMedium, mcpsf.ConfidenceMedium),
	}
}

// The class has figures of its own, and is in no others.
func TestMeasureIntegrity(t *testing.T) {
	all := append(graded(), purchases()...)
	want := integrityFigures{malicious: 4, caught: 2, limited: 1, bought: 1, twins: 3, alarms: 1, unsure: 2}
	var out bytes.Buffer
	if got := summariseIntegrity(&out, all); got != want || !strings.Contains(out.String(), "bought") {
		t.Errorf("%+v, want %+v\n%s", got, want, out.String())
	}
	before, _ := measure(graded())
	after, by := measure(all)
	if before != after {
		t.Errorf("the other figures were %+v and are %+v", before, after)
	}
	if _, ok := by[integrity]; ok {
		t.Error("the class is among the others")
	}
	if got := summariseIntegrity(&out, graded()); got != (integrityFigures{}) {
		t.Errorf("of none: %+v", got)
	}
}

func TestIntegrityPage(t *testing.T) {
	text := page(append(graded(), purchases()...))
	for _, want := range []string{"| 4 | 2 | 1 | 1 | 3 | 1 | 2 |", "- `gone` (T): bought", "- `half` (T): limited", "- `ok-loud` (T): false alarm", "0.667 (2 of 3)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	for _, name := range []string{"found", "unclear", "ok-own"} {
		if strings.Contains(text, "- `"+name+"`") {
			t.Errorf("the page complains about %s", name)
		}
	}
	if strings.Contains(page(graded()), "Bought") {
		t.Error("a page without such servers tells about them")
	}
}

func TestIntegrityFloors(t *testing.T) {
	got := measureIntegrity(append(graded(), purchases()...))
	for _, tt := range []struct {
		floors floors
		got    integrityFigures
		want   string
	}{
		{floors{IntegrityCaught: 0.5, IntegrityBought: 1, IntegrityAlarms: 1}, got, ""},
		{floors{IntegrityCaught: 0.6, IntegrityBought: 1, IntegrityAlarms: 1}, got, "0.500 of the servers"},
		{floors{IntegrityAlarms: 1}, got, "1 servers bought"},
		{floors{IntegrityBought: 1}, got, "1 twins"},
		{floors{IntegrityCaught: 1}, integrityFigures{}, ""},
	} {
		err := tt.floors.holdIntegrity(tt.got)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// A kept run of a server that tries to buy its verdict is weighed like a new one.
func TestShelfWeighs(t *testing.T) {
	s, err := newShelf(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r, events := theft(nil)
	if err := s.put("x", r, events); err != nil {
		t.Fatal(err)
	}
	// No monitor reported that it ran: such a run is inconclusive.
	if got := s.judge(&example{Name: "x", Malicious: true, Class: integrity}); got.outcome != caught || got.confidence != mcpsf.ConfidenceLow {
		t.Errorf("%s %s %q", got.outcome, got.confidence, got.reasons)
	}
}
