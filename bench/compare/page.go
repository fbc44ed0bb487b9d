package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

const head = `# mcpsf scan and OSV-Scanner

Written by ` + "`bench/compare`" + ` (` + "`make compare`" + `) from real runs of both programs, one
after the other on the same directories: ten public servers, installed by npm or
pip without running anything of them. OSV-Scanner is ` + peerVersion + `, with its extractors for
lock files and for installed packages switched on, and offline.

Both read the same exports, in the layout and of the size of OSV's own. Their
content is made up, because then it is known what is right: of %d pairs of a record
and an installed package, the records written in %d shapes, it is certain whether
the installed version is concerned. What is installed is what npm and pip wrote down
themselves; neither program is asked.

A scan of mcpsf does more: it also reads the source of the packages and judges it.
What it has read of a package it remembers; *first* is a scan that has not seen the
packages before, *again* one that has. OSV-Scanner's figures are the same each time,
because it reads the exports anew; those of npm are large, those of PyPI small, so
that it is quick with a Python server, and quicker than a *first* scan.

`

func line(o *outcome) string {
	return fmt.Sprintf("%-12s packages %d/%d/%d  advisories %d/%d  first %s  again %s  osv-scanner %s", o.Name,
		len(o.Listed), len(o.Ours), len(o.Theirs), o.Ours.advisories(), o.Theirs.advisories(),
		round(o.First.Wall), round(o.Again.Wall), round(o.Peer.Wall))
}

// report returns the page.
func (s *settings) report(all []*outcome, j *judgement) string {
	var b strings.Builder
	records := 0
	for _, t := range j.tallies {
		records += t.pairs
	}
	fmt.Fprintf(&b, head, records, len(j.tallies))
	b.WriteString("## What was found\n\n| server | installed | packages: mcpsf | OSV-Scanner | advisories: mcpsf | OSV-Scanner |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, o := range all {
		fmt.Fprintf(&b, "| `%s` %s | %d | %d | %d | %d | %d |\n", o.Package, o.Version, len(o.Listed), len(o.Ours), len(o.Theirs),
			o.Ours.records(), o.Theirs.records())
	}
	b.WriteString("\nPackages are counted by name and version, advisories by record and package.\n")
	costs(&b, all, s.rounds)
	shapes(&b, j)
	differences(&b, j)
	return b.String()
}

// records counts records, not advisories: mcpsf joins two records about the same vulnerability.
func (f found) records() int {
	n := 0
	for _, list := range f {
		var seen []string
		for _, names := range list {
			for _, id := range names {
				if !strings.HasPrefix(id, "CVE-") && !slices.Contains(seen, id) {
					seen = append(seen, id)
				}
			}
		}
		n += len(seen)
	}
	return n
}

func costs(b *strings.Builder, all []*outcome, rounds int) {
	fmt.Fprintf(b, "\n## What it takes\n\nMedians of %d rounds in turns, of two the lower; *first* is one run. Seconds by the clock, seconds of processors, and the most memory\nof the largest process (mcpsf has up to two more beside it while it reads source for the first time).\n\n", rounds)
	b.WriteString("| server | OSV-Scanner | mcpsf first | mcpsf again | clock, again | processors, again | processors, first |\n| --- | --- | --- | --- | ---: | ---: | ---: |\n")
	var peer, first, again usage
	for _, o := range all {
		peer, first, again = peer.plus(o.Peer), first.plus(o.First), again.plus(o.Again)
		costLine(b, "`"+o.Package+"`", o.Peer, o.First, o.Again)
	}
	costLine(b, "all ten", peer, first, again)
	b.WriteString("\nThe last three columns are OSV-Scanner's divided by mcpsf's: above 1 mcpsf takes less.\n")
}

func (u usage) plus(o usage) usage {
	return usage{Wall: u.Wall + o.Wall, CPU: u.CPU + o.CPU, Memory: max(u.Memory, o.Memory)}
}

func costLine(b *strings.Builder, name string, peer, first, again usage) {
	fmt.Fprintf(b, "| %s | %s | %s | %s | %.1f | %.1f | %.1f |\n", name, peer, first, again,
		float64(peer.Wall)/float64(again.Wall), float64(peer.CPU)/float64(again.CPU), float64(peer.CPU)/float64(first.CPU))
}

func (u usage) String() string {
	return fmt.Sprintf("%.1f s, %.1f s, %d MB", u.Wall.Seconds(), u.CPU.Seconds(), u.Memory/1e6)
}

func shapes(b *strings.Builder, j *judgement) {
	b.WriteString("\n## Shape by shape\n\nHow often the program says that the installed version is concerned.\n\n| shape of the record | right | mcpsf | OSV-Scanner | |\n| --- | ---: | ---: | ---: | --- |\n")
	for _, t := range j.tallies {
		right := 0
		if t.concerns {
			right = t.pairs
		}
		note := ""
		switch {
		case t.ours == right && t.theirs == right:
		case t.ours == right && t.theirs < right:
			note = "OSV-Scanner misses " + fmt.Sprint(right-t.theirs) + because(t.shape)
		case t.ours == right:
			note = "OSV-Scanner is wrong about " + fmt.Sprint(t.theirs-right) + because(t.shape)
		default:
			note = "**mcpsf is wrong**"
		}
		fmt.Fprintf(b, "| %s | %d of %d | %d | %d | %s |\n", t.shape, right, t.pairs, t.ours, t.theirs, note)
	}
}

func differences(b *strings.Builder, j *judgement) {
	b.WriteString("\n## Differences\n\n")
	section(b, "Lacking in mcpsf: what OSV-Scanner finds, or what is known to be there", j.lacking)
	section(b, "Wrong in mcpsf", j.wrong)
	section(b, "Wrong in OSV-Scanner", j.theirWrong)
	section(b, "Packages of OSV-Scanner that are none: pieces of a package that describe themselves", j.noPackages)
	carried(b, j)
	section(b, "Records that only mcpsf finds", j.moreAdvisories)
}

// carried lists the packages that only mcpsf has. Crates that are compiled into
// wheels are hundreds, so they are counted by the file that lists them.
func carried(b *strings.Builder, j *judgement) {
	var rest []string
	crates := map[string]int{}
	for _, l := range j.morePackages {
		if server, _, _ := strings.Cut(l, ": "); strings.Contains(l, "(crates.io;") {
			crates[server]++
		} else {
			rest = append(rest, l)
		}
	}
	section(b, "Packages that only mcpsf has", rest)
	if len(crates) == 0 {
		return
	}
	b.WriteString("Crates that are compiled into wheels, which these list beside their metadata (PEP 770) in files that OSV-Scanner does not know by their name (`*.cyclonedx.json`, `sbom.json`):\n\n")
	for _, server := range slices.Sorted(maps.Keys(crates)) {
		fmt.Fprintf(b, "- %s: %d\n", server, crates[server])
	}
	b.WriteByte('\n')
}

// section lists lines; equal lines about several servers become one.
func section(b *strings.Builder, title string, lines []string) {
	fmt.Fprintf(b, "### %s: %d\n\n", title, len(lines))
	if len(lines) == 0 {
		b.WriteString("Nothing.\n\n")
		return
	}
	var order []string
	where := map[string][]string{}
	for _, l := range lines {
		server, what, _ := strings.Cut(l, ": ")
		if where[what] == nil {
			order = append(order, what)
		}
		where[what] = append(where[what], server)
	}
	for _, what := range order {
		fmt.Fprintf(b, "- %s: %s\n", what, strings.Join(where[what], ", "))
	}
	b.WriteByte('\n')
}

func round(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }
