package report

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf"
)

// timeline is the format for people: the verdict, what was found, what
// happened in the order it happened, and what was not looked at.
type timeline struct{}

var _ format = timeline{}

func (timeline) name() Format { return FormatTimeline }

func (timeline) write(buf *bytes.Buffer, doc document) error {
	p := newPage(buf, doc.style)
	p.header(doc.report)
	p.verdict(doc.report)
	p.findings(doc.report.Findings)
	p.events(doc.report, doc.events)
	p.coverage(doc.report)
	p.advice(doc.report.Recommendations)
	p.files(doc.style.Dir)
	return nil
}

func (p *page) header(r *mcpsf.Report) {
	a := r.Artifact
	name := strings.TrimSpace(a.Name + " " + a.Version)
	p.line()
	p.between(
		[]span{strong(r.Target.Source)},
		[]span{dim(strings.TrimSpace(r.Tool.Name + " " + r.Tool.Version))},
	)
	var facts []string
	if name != "" {
		facts = append(facts, name)
	}
	if a.Digest != "" {
		facts = append(facts, p.shortDigest(a.Digest))
	}
	facts = append(facts, plural(int64(a.Files), "file"), size(a.Bytes))
	p.between(
		[]span{dim(p.join(facts))},
		[]span{dim("seed " + fmt.Sprint(r.Run.Seed) + " " + p.dot + " " + seconds(r.Run.Duration))},
	)
	if len(a.Command) > 0 {
		p.line(dim("started as "), text(strings.Join(a.Command, " ")))
	}
	p.line()
}

// gauge is how many cells the score gets.
const gauge = 20

// verdict draws the box that is readable from across the room.
func (p *page) verdict(r *mcpsf.Report) {
	v, c := r.Verdict, bandRole(r.Verdict.Band)
	score := min(max(v.Score, 0), 100)
	filled := score * gauge / 100
	bar := []span{
		colored(c, strings.Repeat(p.full, filled)),
		dim(strings.Repeat(p.empty, gauge-filled)),
		colored(c, fmt.Sprintf(" %3d", score)),
		dim("/100"),
	}
	if v.Band == mcpsf.BandInconclusive {
		bar = nil // half a score would be read as a whole one
	}
	p.rule(c, p.topLeft, p.topRight)
	p.boxed(c, []span{{role: c, text: letterspace(string(v.Band)), badge: true}}, bar)
	if v.Action != "" {
		p.boxed(c, []span{strong(upperFirst(v.Action))}, nil)
	}
	summary := cmp.Or(r.Summary, Summary(r))
	p.boxedText(c, "", summary)
	for _, reason := range v.Reasons {
		if !strings.Contains(summary, asClause(reason)) {
			p.boxedText(c, p.bullet+" ", reason)
		}
	}
	p.rule(c, p.bottomLeft, p.bottomRight)
}

func (p *page) rule(c role, left, right string) {
	p.line(colored(c, left+strings.Repeat(p.horizontal, p.width-2)+right))
}

// boxed writes one line of the verdict's box.
func (p *page) boxed(c role, left, right []span) {
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

// boxedText writes s into the box, behind a mark on its first line.
func (p *page) boxedText(c role, mark, s string) {
	indent := ansi.StringWidth(mark)
	for _, line := range p.wrap(strings.Fields(clean(s, p.ascii)), p.width-6-indent, 4) {
		p.boxed(c, []span{column(c, indent, mark), text(line)}, nil)
		mark = ""
	}
}

// maxAdvice bounds the recommendations shown.
const maxAdvice = 8

func (p *page) advice(list []string) {
	if len(list) == 0 {
		return
	}
	p.heading("WHAT TO DO", "")
	for i, s := range list {
		if i == maxAdvice {
			p.line(dim(fmt.Sprintf("  %s %d more in %s", p.ellipsis, len(list)-i, FileName)))
			return
		}
		p.paragraph(dim(fmt.Sprintf("%3d  ", i+1)), 5, roleText, s, 3)
	}
}

func (p *page) files(dir string) {
	p.line()
	if dir == "" {
		return
	}
	for _, name := range []string{FileName, EventsName} {
		label := strings.TrimSuffix(name, filepath.Ext(name))
		p.line(column(roleDim, 8, label), text(p.middle(filepath.Join(dir, name), p.width-8)))
	}
}
