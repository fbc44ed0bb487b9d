package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/twobuilds"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxCell bounds a cell, whose text may come from a server.
const maxCell = 300

// pair is a server with its two results.
type pair = twobuilds.Pair[*result]

// table writes the page.
func table(list []pair) string {
	var b strings.Builder
	b.WriteString("# Public servers, before and after\n\nWritten by `go run ./bench/public`. A verdict is the band, the score, the confidence and the exit code.\n\n")
	if len(list) == 0 {
		return b.String() + "No server was assessed by both.\n"
	}
	first := list[0]
	fmt.Fprintf(&b, "Before: mcpsf %s (%s). After: %s (%s). Profile %s.\n\n", cell(first.Before.Tool), first.Before.Binary,
		cell(first.After.Tool), first.After.Binary, first.After.Profile)
	b.WriteString(summary(list))
	b.WriteString("\n| server | before | after | findings above LOW before | after | what changed |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, p := range list {
		changed := strings.Join(changes(p.Before, p.After), "; ")
		if changed == "" {
			changed = "nothing"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", cell(p.Source), p.Before.Outcome(), p.After.Outcome(),
			p.Before.alarms(), p.After.alarms(), cell(changed))
	}
	return b.String()
}

// figure is what servers are counted by.
type figure struct {
	name string
	of   func(*result) bool
}

func figures() []figure {
	list := []figure{{"with a finding above LOW", func(r *result) bool { return len(r.Findings) > 0 }}}
	for _, band := range []mcpsf.Band{mcpsf.BandPass, mcpsf.BandLow, mcpsf.BandMedium, mcpsf.BandHigh, mcpsf.BandCritical, mcpsf.BandInconclusive} {
		list = append(list, figure{string(band), func(r *result) bool { return r.Band == band }})
	}
	for _, level := range mcpsf.ConfidenceLevels() {
		list = append(list, figure{"confidence " + string(level), func(r *result) bool { return r.Confidence == level }})
	}
	return append(list, figure{"without a report", func(r *result) bool { return r.Band == "" }})
}

// summary counts the servers that changed, and those of each band and confidence.
func summary(list []pair) string {
	changed := 0
	for _, p := range list {
		changed += one(len(changes(p.Before, p.After)) > 0)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d servers came out differently.\n\n| servers | before | after |\n| --- | ---: | ---: |\n", changed, len(list))
	for _, f := range figures() {
		before, after := 0, 0
		for _, p := range list {
			before, after = before+one(f.of(p.Before)), after+one(f.of(p.After))
		}
		if before+after > 0 {
			fmt.Fprintf(&b, "| %s | %d | %d |\n", f.name, before, after)
		}
	}
	return b.String()
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Outcome is the verdict in a few words.
func (r *result) Outcome() string {
	if r.Band == "" {
		return fmt.Sprintf("no report, exit %d", r.Exit)
	}
	return fmt.Sprintf("%s %d, %s, exit %d", r.Band, r.Score, r.Confidence, r.Exit)
}

// alarms are the rules with a finding above LOW, each once with its number.
func (r *result) alarms() string {
	var words []string
	for _, f := range r.Findings {
		if n := count(r.Findings, f.ID); n > 1 {
			words = append(words, fmt.Sprintf("%s ×%d", f.ID, n))
		} else {
			words = append(words, f.ID)
		}
	}
	slices.Sort(words)
	return cell(strings.Join(slices.Compact(words), ", "))
}

func count(findings []alarm, id string) int {
	n := 0
	for _, f := range findings {
		n += one(f.ID == id)
	}
	return n
}

// cell makes a text safe for a cell of the table.
func cell(text string) string {
	return strings.NewReplacer("|", "/", "`", "'", "<", "‹", ">", "›").Replace(safetext.Line(text, maxCell))
}
