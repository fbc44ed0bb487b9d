package terminal

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// verdictPart writes what was assessed and the verdict.
type verdictPart struct{ *page }

func (p verdictPart) header(r *mcpsf.Report) {
	a := r.Artifact
	name := strings.TrimSpace(a.Name + " " + a.Version)
	p.line()
	source := []span{strong(r.Target.Source)}
	tool := []span{dim(wording.Joined(r.Tool.Name, r.Tool.Version))}
	var facts []string
	if p.fits(source, tool) {
		p.between(source, tool)
	} else {
		p.paragraph(text(""), 0, roleStrong, r.Target.Source, 3)
		facts = append(facts, tool[0].text)
	}
	if name != "" {
		facts = append(facts, name)
	}
	if a.Digest != "" {
		facts = append(facts, p.shortDigest(a.Digest))
	}
	if r.Coverage.Remote {
		facts = append(facts, "remote, not sandboxed")
	} else {
		facts = append(facts, wording.Plural(int64(a.Files), "file"), wording.Size(a.Bytes))
	}
	facts = append(facts, "seed "+fmt.Sprint(r.Run.Seed), wording.Seconds(r.Run.Duration))
	p.hang(text(""), 0, roleDim, p.wrap(p.chunks(facts), p.width, 4))
	if i := r.Installation; i != nil {
		p.paragraph(text(""), 0, roleDim, installation(i), 3)
		for _, note := range i.Notes {
			p.paragraph(text(""), 2, roleDim, note, 3)
		}
	}
	if len(a.Command) > 0 && !r.Coverage.Static {
		p.paragraph(text(""), 0, roleDim, "started as "+strings.Join(a.Command, " "), 3)
	}
	if tried := tries(a.Candidates); len(tried) > 1 || !r.Session.Initialized {
		for _, c := range tried {
			p.paragraph(text("tried "), 6, roleDim, strings.Join(c.Command, " ")+" ("+c.Why+"): "+c.Outcome, 3)
		}
	}
	p.line()
}

// installation says in a line how the server was installed.
func installation(i *mcpsf.Installation) string {
	s := fmt.Sprintf("installed by %s with %s: %s, %s", i.Manager, i.Runtime, wording.Plural(int64(len(i.Packages)), "package"), wording.Seconds(i.Seconds))
	switch {
	case i.Failed != "":
		return fmt.Sprintf("installation by %s with %s failed: %s", i.Manager, i.Runtime, i.Failed)
	case i.Cached:
		return s + ", in an earlier run"
	}
	return s
}

// tries returns the candidates that were started.
func tries(all []mcpsf.EntryCandidate) []mcpsf.EntryCandidate {
	var tried []mcpsf.EntryCandidate
	for _, c := range all {
		if c.Outcome != "" {
			tried = append(tried, c)
		}
	}
	return tried
}

// wideGauge is the width of the score's bar where there is room.
const wideGauge = 20

// verdict draws a box with the verdict and its reasons.
func (p verdictPart) verdict(r *mcpsf.Report) {
	v, c := r.Verdict, bandRole(r.Verdict.Band)
	score := min(max(v.Score, 0), 100)
	gauge := min(wideGauge, p.width/4)
	filled := score * gauge / 100
	bar := []span{
		colored(c, strings.Repeat(p.full, filled)),
		dim(strings.Repeat(p.empty, gauge-filled)),
		colored(c, fmt.Sprintf(" %3d", score)),
		dim("/100"),
	}
	if v.Band == mcpsf.BandInconclusive {
		bar = nil // a partial score would be taken for a final one
	}
	p.rule(c, p.topLeft, p.topRight)
	head := []span{{role: c, text: letterspace(string(v.Band)), badge: true}}
	if v.Limited() && v.Band != mcpsf.BandInconclusive {
		head = append(head, text("  limited"))
	}
	p.boxed(c, head, bar)
	if v.Action != "" {
		p.boxed(c, []span{strong(wording.UpperFirst(v.Action))}, nil)
	}
	answers := summary.Answers(&v)
	summary := cmp.Or(r.Summary, summary.Of(r))
	p.boxedText(c, "", summary)
	if answers != nil {
		p.boxedText(c, "", wording.UpperFirst(strings.Join(answers, ", "))+confidence(&v.Confidence))
	}
	for _, reason := range v.Reasons {
		if !strings.Contains(strings.ToLower(summary), strings.ToLower(wording.Clause(reason))) {
			p.boxedText(c, p.bullet+" ", reason)
		}
	}
	p.rule(c, p.bottomLeft, p.bottomRight)
}

// confidence says in numbers what the confidence rests on.
func confidence(c *mcpsf.Confidence) string {
	if c.Tools == 0 {
		return "."
	}
	return fmt.Sprintf(" (%d of %s worked, %d of %s made, %s read, %s).", c.ToolsWorked, wording.Plural(int64(c.Tools), "tool"),
		c.AttacksMade, wording.Plural(int64(c.AttacksPlanned), "attack"), wording.Plural(int64(c.TextsRead), "text"), wording.Plural(int64(c.Gaps), "gap"))
}

func (p verdictPart) rule(c role, left, right string) {
	p.line(colored(c, left+strings.Repeat(p.horizontal, p.width-2)+right))
}

// boxed writes one line of the verdict's box.
func (p verdictPart) boxed(c role, left, right []span) {
	room := p.width - 6 - p.measure(right)
	line := []span{colored(c, p.vertical+"  ")}
	for _, s := range left {
		s.text = p.cut(p.fit(s), room)
		room -= p.measure([]span{s})
		line = append(line, s)
	}
	line = append(line, text(strings.Repeat(" ", max(room, 0))))
	line = append(line, right...)
	p.line(append(line, colored(c, "  "+p.vertical))...)
}

// boxedText writes s into the box, after a mark on its first line.
func (p verdictPart) boxedText(c role, mark, s string) {
	indent := ansi.StringWidth(mark)
	for _, line := range p.wrap(strings.Fields(p.safe(s)), p.width-6-indent, 4) {
		p.boxed(c, []span{column(c, indent, mark), text(line)}, nil)
		mark = ""
	}
}
