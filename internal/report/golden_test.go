package report

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/terminal"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test -update and look at the result", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); if that is right, run go test -update:\n%s", name, diff)
	}
}

func TestTimelineGolden(t *testing.T) {
	styles := map[string]Style{
		"plain": {Width: 80, Unicode: true, Dir: "reports/20260102-030405-7f3a"},
		"color": {Width: 80, Unicode: true, Color: true},
		"ascii": {Width: 80},
	}
	for name, r := range samples() {
		for style, s := range styles {
			t.Run(name+"/"+style, func(t *testing.T) {
				var buf bytes.Buffer
				if err := Write(&buf, FormatTimeline, r.report, r.events, s); err != nil {
					t.Fatal(err)
				}
				golden(t, name+"."+style+".txt", buf.Bytes())
				check(t, buf.String(), s)
			})
		}
	}
}

// The summary of every sample fits on one screen.
func TestSummaryGolden(t *testing.T) {
	styles := map[string]Style{
		"plain": {Width: 80, Unicode: true, Dir: "reports/20260102-030405-7f3a"},
		"color": {Width: 80, Unicode: true, Color: true, Dir: "reports/20260102-030405-7f3a"},
		"ascii": {Width: 80, Dir: "reports/20260102-030405-7f3a"},
	}
	for name, r := range samples() {
		for style, s := range styles {
			t.Run(name+"/"+style, func(t *testing.T) {
				out := render(t, FormatSummary, r, s)
				golden(t, "summary."+name+"."+style+".txt", out)
				check(t, string(out), s)
				if n := strings.Count(string(out), "\n"); n > terminal.ScreenLines {
					t.Errorf("%d lines, at most %d", n, terminal.ScreenLines)
				}
			})
		}
	}
}

// The summary fits on one screen, however many findings, reasons or gaps there
// are.
func TestSummaryFitsOneScreen(t *testing.T) {
	r := huge(60, strings.Repeat("words ", 40))
	for i := range r.report.Findings {
		r.report.Findings[i].Title = fmt.Sprintf("%s %d", strings.Repeat("long ", 20), i)
	}
	r.report.Verdict = verdictOf(mcpsf.BandCritical, 100, "do not deploy")
	r.report.Recommendations = slices.Repeat([]string{strings.Repeat("do this ", 50)}, 20)
	for i := range 10 {
		r.report.Verdict.Reasons = append(r.report.Verdict.Reasons, fmt.Sprintf("reason %d %s", i, strings.Repeat("because ", 10)))
		r.report.Coverage.Gaps = append(r.report.Coverage.Gaps, mcpsf.Gap{Text: "gap"})
	}
	style := Style{Width: 80, Unicode: true, Dir: "reports/run"}
	out := string(render(t, FormatSummary, r, style))
	check(t, out, style)
	if n := strings.Count(out, "\n"); n > terminal.ScreenLines {
		t.Errorf("%d lines, at most %d:\n%s", n, terminal.ScreenLines, out)
	}
	if !strings.Contains(out, "more: mcpsf report reports/run --details") {
		t.Errorf("does not say how to see the rest:\n%s", out)
	}
}

func TestJSONGolden(t *testing.T) {
	var buf bytes.Buffer
	if err := Write(&buf, FormatJSON, high(), events(), Style{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "high.json", buf.Bytes())
}

// The page without its style and script, which are separate files.
func TestHTMLGolden(t *testing.T) {
	for _, name := range []string{"high", "inconclusive", "inspected", "opinion"} {
		var buf bytes.Buffer
		if err := Write(&buf, FormatHTML, samples()[name].report, samples()[name].events, Style{}); err != nil {
			t.Fatal(err)
		}
		page := regexp.MustCompile(`(?s)(<style>).*?(</style>)|(<script>).*?(</script>)|sha256-[^ "]*?&#39;`).ReplaceAllString(buf.String(), "$1$2$3$4")
		golden(t, name+".html", []byte(page))
	}
}

// No line is wider than the terminal, from the narrowest page to very wide ones.
func TestNoLineIsTooWide(t *testing.T) {
	all := samples()
	all["hostile"] = run{hostileReport(), hostileEvents()}
	for name, r := range all {
		step := 5
		if os.Getenv("MCPSF_NIGHTLY") != "" {
			step = 1 // narrow widths are critical
		}
		for width := terminal.MinWidth; width <= 120; width += max(step, width/80*5) {
			for _, unicode := range []bool{false, true} {
				s := Style{Width: width, Unicode: unicode, Dir: "reports/20260102-030405-7f3a"}
				t.Run(fmt.Sprintf("%s/%d/%t", name, width, unicode), func(t *testing.T) {
					var buf bytes.Buffer
					if err := Write(&buf, FormatTimeline, r.report, r.events, s); err != nil {
						t.Fatal(err)
					}
					check(t, buf.String(), s)
				})
			}
		}
	}
}

// At 80 columns none of our own words is cut.
func TestNothingIsCutAt80(t *testing.T) {
	for name, r := range samples() {
		var buf bytes.Buffer
		if err := Write(&buf, FormatTimeline, r.report, r.events, Style{Width: 80, Unicode: true}); err != nil {
			t.Fatal(err)
		}
		page := strings.Join(strings.Fields(strings.ReplaceAll(buf.String(), "│", "")), " ")
		want := []string{r.report.Target.Source, r.report.Summary}
		for _, g := range r.report.Coverage.Gaps {
			want = append(want, g.Text)
		}
		for _, f := range r.report.Findings {
			want = append(want, f.Title, f.ID+" · "+string(f.Grade), f.Remediation)
		}
		for _, s := range want {
			if !strings.Contains(page, s) {
				t.Errorf("%s: no %q on the page", name, s)
			}
		}
	}
}

// check holds for every timeline: no line too wide, no escapes unless asked for.
func check(t *testing.T, out string, s Style) {
	t.Helper()
	if !s.Color && strings.ContainsRune(out, 0x1b) {
		t.Error("escape sequences without colour")
	}
	width := s.Width
	if width == 0 {
		width = terminal.DefaultWidth
	}
	for line := range strings.SplitSeq(out, "\n") {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("line of %d cells, want at most %d: %q", w, width, line)
		}
		if stripped := ansi.Strip(line); stripped != strings.TrimRight(stripped, " ") && !s.Color {
			t.Errorf("line ends in spaces: %q", line)
		}
		if !s.Unicode {
			for _, r := range line {
				if r > 0x7e {
					t.Fatalf("%q beyond ASCII in %q", r, line)
				}
			}
		}
	}
}
