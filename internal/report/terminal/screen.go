package terminal

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// The layout of one screen of 80 by 24.
const (
	ScreenLines    = 24
	screenFindings = 8
	screenAdvice   = 3
	screenReasons  = 3
	screenLabel    = 10
)

// screen writes parts of the summary of one run.
type screen struct {
	*page

	report *mcpsf.Report
	events []mcpsf.Event
	dir    string
}

func newScreen(buf *bytes.Buffer, data digest.Data, style Style) *screen {
	return &screen{page: newPage(buf, style), report: data.Report, events: data.Events, dir: style.Dir}
}

// verdict writes one line with the verdict, and one about what was assessed.
func (s *screen) verdict() {
	v, r := s.report.Verdict, s.report
	s.line()
	s.hangSpans([]span{{role: bandRole(v.Band), text: " " + summary.BandAndScore(&v) + " ", badge: true}, text("  ")}, wording.UpperFirst(v.Action))
	if answers := summary.Answers(&v); answers != nil {
		s.line(text(wording.UpperFirst(strings.Join(answers, " "+s.dot+" "))))
	}
	facts := []string{r.Target.Source}
	if name := wording.Joined(r.Artifact.Name, r.Artifact.Version); name != "" && !strings.HasSuffix(r.Target.Source, name) {
		facts = append(facts, name)
	}
	if r.Artifact.Digest != "" {
		facts = append(facts, s.shortDigest(r.Artifact.Digest))
	}
	if r.Coverage.Remote {
		facts = append(facts, "remote, not sandboxed")
	}
	facts = append(facts, wording.Seconds(r.Run.Duration))
	s.hang(text(""), 0, roleDim, s.wrap(s.chunks(facts), s.width, 2))
}

// hangSpans writes a head and a text after it, which may need a second line.
func (s *screen) hangSpans(head []span, what string) {
	indent := s.measure(head)
	for _, line := range s.wrap(strings.Fields(s.safe(what)), s.width-indent, 2) {
		s.line(append(head, strong(line))...)
		head = []span{column(roleText, indent, "")}
	}
	if what == "" {
		s.line(head...)
	}
}

// reasons say what the run lacked, with the server's output if that is the reason.
func (s *screen) reasons() {
	all := s.report.Verdict.Reasons
	lines := 2
	if len(all) > 1 {
		lines = 1
	}
	for i, reason := range all {
		if i == screenReasons {
			s.line(dim(fmt.Sprintf("  %s %s", s.ellipsis, wording.Counted(int64(len(all)-i), "more reason{s}"))))
			break
		}
		s.paragraph(colored(roleUnsure, s.bullet+" "), 2, roleText, wording.UpperFirst(reason), lines)
	}
	out := digest.Stderr(s.report, s.events)
	if out == nil {
		return
	}
	if len(out.Lines) == 0 {
		s.line(dim(out.Title + " is empty."))
		return
	}
	s.line(dim(out.Title))
	for _, line := range out.Lines[max(0, len(out.Lines)-digest.MaxStderr):] {
		s.line(text("  "), text(line))
	}
}

// findings writes as many as there is room for, two lines each: the title, and the
// sentence that proves it. The sentence of the most severe one may take two lines.
func (s *screen) findings(room int) {
	all := s.report.Findings
	s.line()
	room--
	if len(all) == 0 {
		s.line(text("No findings."))
		return
	}
	groups := digest.Blocks(summary.MostSevereFirst(all))
	s.line(strong(countedFindings(len(all), len(groups)) + ", most severe first"))
	room--
	shown, terse := plan(groups, room-1)
	for i, b := range groups[:shown] {
		lines := 1
		switch {
		case terse && minor(b):
			lines = 0
		case i == 0:
			lines = 2
		}
		s.finding(b, lines)
	}
	if rest := len(groups) - shown; rest > 0 {
		s.line(dim(fmt.Sprintf("%s %d more: %s", s.ellipsis, rest, s.details())))
	}
}

// plan says how many findings are shown on so many lines. If not all of them fit
// with their evidence, minor ones are shown without it: terse.
func plan(groups []digest.Block, room int) (shown int, terse bool) {
	lines := func(n int, terse bool) int {
		total := 0
		for _, b := range groups[:n] {
			total += 2
			if terse && minor(b) {
				total--
			}
		}
		if n < len(groups) {
			total++ // the line that says how many more there are
		}
		return total
	}
	all := min(len(groups), screenFindings)
	if lines(all, false) <= room {
		return all, false
	}
	for shown = all; shown > 1 && lines(shown, true) > room; {
		shown--
	}
	return shown, true
}

// minor tells whether a finding is of low severity and may be shown without evidence.
func minor(b digest.Block) bool {
	return b[0].Severity == mcpsf.SeverityLow || b[0].Severity == mcpsf.SeverityInfo
}

// finding writes a title with its rule, and below it the sentence that proves
// it, on at most so many lines.
func (s *screen) finding(b digest.Block, lines int) {
	f := b[0]
	c := severityRole(f.Severity)
	head := []span{colored(c, s.bullet+" "), column(c, findingIndent-2, strings.ToUpper(string(f.Severity)))}
	s.between(append(head, strong(summary.Title(&f))), []span{dim(timesOf(b, s.times) + f.ID)})
	switch lines {
	case 0:
	case 1:
		s.line(column(roleText, findingIndent, ""), text(f.Message))
	default:
		s.paragraph(text(""), findingIndent, roleText, f.Message, lines)
	}
}

// timesOf says how many findings a group has, "" for one.
func timesOf(b digest.Block, times string) string {
	if len(b) == 1 {
		return ""
	}
	return fmt.Sprintf("%s%d ", times, len(b))
}

// countedFindings says how many findings there are, and in how many entries.
func countedFindings(findings, groups int) string {
	s := wording.Plural(int64(findings), "finding")
	if groups < findings {
		s += " in " + wording.Plural(int64(groups), "group")
	}
	return s
}

// coverage says in two lines what the verdict covers.
func (s *screen) coverage() {
	c := s.report.Coverage
	s.line()
	s.line(column(roleDim, screenLabel, "Coverage"), text(strings.Join(s.extent(), " "+s.dot+" ")))
	gaps := "no known gaps"
	if n := len(c.Gaps); n > 0 {
		gaps = wording.Plural(int64(n), "gap") + ", listed by --details"
	}
	s.line(column(roleDim, screenLabel, ""), text(gaps))
}

// extent says what was called, attacked and recorded, or what was read.
func (s *screen) extent() []string {
	c, in := s.report.Coverage, s.report.Inspection
	if c.Static {
		facts := []string{"server not run"}
		if in != nil {
			facts = append(facts, fmt.Sprintf("%d of %s parsed", in.Files.Parsed, wording.Plural(int64(in.Files.Source), "source file")),
				wording.Plural(int64(len(in.Packages)), "package"), digest.AdvisoryCount(int64(len(in.Advisories))))
		}
		return facts
	}
	lost := ", 0 lost"
	if c.Events.Lost != 0 || !c.Events.Complete {
		lost = fmt.Sprintf(", %d LOST", c.Events.Lost)
	}
	return []string{
		fmt.Sprintf("%d/%s called", c.Calls.Reached, wording.Plural(int64(c.Calls.Tools), "tool")),
		fmt.Sprintf("%d succeeded", succeeded(s.report.Session.Calls)),
		wording.Plural(attacks(s.events), "attack"),
		wording.Plural(c.Events.Received, "event") + lost,
	}
}

// succeeded counts the tools of which at least one call succeeded.
func succeeded(calls []mcpsf.Call) int {
	tools := map[string]bool{}
	for _, c := range calls {
		if c.Tool != "" && c.Status == mcpsf.CallOK {
			tools[c.Tool] = true
		}
	}
	return len(tools)
}

// attacks counts the attack calls.
func attacks(events []mcpsf.Event) int64 {
	n := int64(0)
	for i := range events {
		if m := events[i].MCP; m != nil && m.Attack != nil && events[i].Kind == mcpsf.KindMCPRequest {
			n++
		}
	}
	return n
}

// advice writes what to do, a line each.
func (s *screen) advice() {
	list := s.report.Recommendations
	if action := s.report.Verdict.Action; len(list) > 0 && strings.HasPrefix(list[0], wording.UpperFirst(action)) {
		list = list[1:] // the verdict already says it
	}
	s.line()
	label := "Do now"
	if s.report.Verdict.Band != mcpsf.BandCritical {
		label = "To do"
	}
	var told []string
	for _, advice := range list {
		first := s.firstSentence(advice)
		if len(told) == screenAdvice || slices.Contains(told, first) {
			continue
		}
		told = append(told, first)
		s.line(column(roleDim, screenLabel, label), text(fmt.Sprintf("%d  %s", len(told), first)))
		label = ""
	}
}

// firstSentence returns s if it fits, else its first sentence.
func (s *screen) firstSentence(advice string) string {
	if room := s.width - screenLabel - 3; len(advice) <= room {
		return advice
	}
	if i := strings.Index(advice, ". "); i > 0 {
		return advice[:i+1]
	}
	return advice
}

// closing says where the report is, and how to see more of it.
func (s *screen) closing() {
	if s.dir == "" {
		return
	}
	s.line(column(roleDim, screenLabel, "Report"), text(s.dir))
	s.line(column(roleDim, screenLabel, "Details"), text(s.details()))
}

// details is the command that shows the rest.
func (s *screen) details() string {
	return "mcpsf report " + cmp.Or(s.dir, "RUN") + " --details"
}
