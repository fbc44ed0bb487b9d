package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
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
	reports := map[string]struct {
		report *mcpsf.Report
		events []mcpsf.Event
	}{
		"pass":         {passed(), quietEvents()},
		"high":         {high(), events()},
		"inconclusive": {inconclusiveReport(), events()[:12]},
	}
	styles := map[string]Style{
		"plain": {Width: 80, Unicode: true, Dir: "reports/20260102-030405-7f3a"},
		"color": {Width: 80, Unicode: true, Color: true},
		"ascii": {Width: 80},
	}
	for name, r := range reports {
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

func TestJSONGolden(t *testing.T) {
	var buf bytes.Buffer
	if err := Write(&buf, FormatJSON, high(), events(), Style{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "high.json", buf.Bytes())
}

// check holds for every timeline: no line too wide, no escapes unless asked for.
func check(t *testing.T, out string, s Style) {
	t.Helper()
	if !s.Color && strings.ContainsRune(out, 0x1b) {
		t.Error("escape sequences without colour")
	}
	width := s.Width
	if width == 0 {
		width = defaultWidth
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
