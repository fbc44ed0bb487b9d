package html

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// page is the input of the templates. All its texts are clean and truncated.
type page struct {
	Assets    assets
	Title     string
	Head      head
	Verdict   verdictView
	Findings  findingsView
	Suspected suspectedView
	Timeline  timelineView
	Processes processView
	Network   networkView
	Files     filesView
	Tools     toolsView
	// Agents is nil if none used the server.
	Agents *agentsView
	// Flows is nil if the server alone makes none.
	Flows *flowsView
	// Composition is nil if the package was not read.
	Composition *compositionView
	Transcript  transcriptView
	Package     packageView
	Coverage    coverageView
	Repeat      repeatView
	Waived      waivedView
	// Data is read by the script.
	Data data
}

// head says what was assessed, and when.
type head struct {
	Source string
	Facts  []string
}

func newPage(run *Run) (*page, error) {
	assets, err := newAssets()
	if err != nil {
		return nil, err
	}
	b := newIndex(run)
	p := &page{
		Assets:    assets,
		Title:     run.Words.line(run.Report.Target.Source, maxName),
		Head:      b.head(),
		Verdict:   verdictSection{b}.verdict(),
		Findings:  findingsSection{b}.findings(),
		Suspected: findingsSection{b}.suspected(),
		Processes: processSection{b}.processes(),
		Network:   networkSection{b}.network(),
		Files:     filesSection{b}.fileMap(),
		Tools:     toolsSection{b}.tools(),
		Agents:    agentsSection{b}.agents(),
		Flows:     flowsSection{b}.flows(),

		Composition: compositionSection{b}.composition(),
		Package:     packageSection{b}.packaged(),
		Coverage:    coverageSection{b}.coverage(),
		Repeat:      packageSection{b}.repeat(),
		Waived:      waivedSection{b}.waived(),
	}
	p.Timeline = timelineSection{b}.timeline() // refers to the evidence above
	p.Transcript = transcriptSection{b}.transcript()
	p.Data = dataSection{b}.data(p.Composition.partsData())
	p.Timeline.Extent = extent(len(p.Data.Events), len(run.Events))
	return p, nil
}

// extent says how many of all events the script can show.
func extent(embedded, all int) string {
	switch {
	case all == 0:
		return "No event was recorded."
	case embedded == all:
		return "All " + plural(all, "event") + " can be filtered here. Above are the noteworthy ones."
	}
	return fmt.Sprintf("%s of %s can be filtered here: first what findings rest on, then the noteworthy ones. The rest is in events.jsonl.",
		thousands(int64(embedded)), plural(all, "event"))
}

func (b *index) head() head {
	r := b.Report
	h := head{Source: b.line(r.Target.Source, maxName)}
	add := func(facts ...string) {
		for _, f := range facts {
			if f = strings.TrimSpace(f); f != "" {
				h.Facts = append(h.Facts, b.line(f, maxName))
			}
		}
	}
	add(r.Artifact.Name+" "+r.Artifact.Version, string(r.Artifact.Runtime))
	if r.Coverage.Remote {
		add("remote, not sandboxed")
	} else {
		add(plural(r.Artifact.Files, "file") + ", " + b.Size(r.Artifact.Bytes))
	}
	if !r.Run.Started.IsZero() {
		add(r.Run.Started.UTC().Format("2 January 2006, 15:04 MST"))
	}
	add(b.Seconds(r.Run.Duration), "seed "+strconv.FormatUint(r.Run.Seed, 10), r.Tool.Name+" "+r.Tool.Version)
	return h
}

// day writes a date.
func day(t time.Time) string { return t.UTC().Format("2 January 2006") }
