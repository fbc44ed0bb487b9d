package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/template"

	"github.com/mcpsf/mcpsf/bench/serverlist"
)

// page is the input of docs/startup-rate.md.
type page struct {
	Date    string
	Servers []serverlist.Server
	Results map[string]*result
}

// writePage renders the page. The file is replaced completely or not at all.
func writePage(path string, p *page) error {
	t, err := template.New("page").Funcs(template.FuncMap{"cell": cell}).Parse(pageText)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := t.Execute(&text, p); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	if err := os.WriteFile(path+".new", []byte(text.String()), 0o644); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return os.Rename(path+".new", path)
}

// rate counts the servers of an account type that listed their tools.
type rate struct{ Listed, Run int }

func (r rate) String() string {
	if r.Run == 0 {
		return "none were run"
	}
	return fmt.Sprintf("%d of %d (%.0f%%)", r.Listed, r.Run, 100*float64(r.Listed)/float64(r.Run))
}

// Rate is called by the template; "" matches everything.
func (p *page) Rate(manager, account string) rate {
	var r rate
	for _, row := range p.Rows(manager) {
		if account != "" && row.Account != account {
			continue
		}
		r.Run++
		if row.Listed {
			r.Listed++
		}
	}
	return r
}

// row is a result with the note of its line in the list.
type row struct {
	*result
	Name, Version, Note string
}

// Rows are the servers of a manager that were run, in the order of the list.
func (p *page) Rows(manager string) []row {
	var rows []row
	for _, s := range p.Servers {
		r := p.Results[s.Source]
		if r == nil || !strings.HasPrefix(s.Source, manager) {
			continue
		}
		shown := *r
		shown.Account = s.Account // the list decides, also for older results
		name, version := split(s.Source)
		rows = append(rows, row{&shown, name, version, s.Note})
	}
	return rows
}

// Step writes the seconds of one step.
func (r row) Step(name string) string {
	s, ok := r.Seconds[name]
	switch {
	case !ok:
		return ""
	case name == "install" && r.Cached:
		return "cached"
	}
	return fmt.Sprintf("%.1f", s)
}

// Reached says how far it came.
func (r row) Reached() string {
	switch {
	case r.Listed:
		return fmt.Sprintf("%d tools", r.Tools)
	case r.Initialized:
		return "**initialized**"
	case r.Installed:
		return "**installed**"
	case r.Resolved:
		return "**resolved**"
	default:
		return "**nothing**"
	}
}

// Missing lists the servers that did not list their tools, those that need no
// account first.
func (p *page) Missing() []row {
	missing := slices.DeleteFunc(p.Rows(""), func(r row) bool { return r.Listed })
	slices.SortStableFunc(missing, func(a, b row) int { return cmp.Compare(a.Account, b.Account) })
	return missing
}

// Why writes the reason.
func (r row) Why() string { return r.why() }

// Median is the median of a step over the servers of a manager that were not
// cached.
func (p *page) Median(manager, step string) string {
	var values []float64
	for _, r := range p.Rows(manager) {
		if s, ok := r.Seconds[step]; ok && !(step == "install" && r.Cached) {
			values = append(values, s)
		}
	}
	if len(values) == 0 {
		return "-"
	}
	slices.Sort(values)
	return fmt.Sprintf("%.1f s", values[len(values)/2])
}

// Bands counts the verdicts of the servers that listed their tools.
func (p *page) Bands() string {
	count := map[string]int{}
	for _, r := range p.Rows("") {
		if r.Listed {
			count[string(r.Band)]++
		}
	}
	var words []string
	for _, band := range []string{"PASS", "LOW", "MEDIUM", "HIGH", "CRITICAL", "INCONCLUSIVE"} {
		if n := count[band]; n > 0 {
			words = append(words, fmt.Sprintf("%s %d", band, n))
		}
	}
	return strings.Join(words, ", ")
}

// group is one rule's findings on one server.
type group struct {
	Name  string
	First alarm
	More  int
}

// Alarms lists findings of severity medium or more; those of one rule on one
// server are one entry.
func (p *page) Alarms() []group {
	var groups []group
	for _, r := range p.Rows("") {
		at := map[string]int{}
		for _, f := range r.Findings {
			if i, ok := at[f.ID]; ok {
				groups[i].More++
				continue
			}
			at[f.ID] = len(groups)
			groups = append(groups, group{Name: r.Name, First: f})
		}
	}
	return groups
}

// Tools names the versions of mcpsf that made the results.
func (p *page) Tools() string {
	var versions []string
	for _, r := range p.Rows("") {
		if r.Tool != "" && !slices.Contains(versions, r.Tool) {
			versions = append(versions, r.Tool)
		}
	}
	slices.Sort(versions)
	return strings.Join(versions, ", ")
}

// split splits a pinned source.
func split(source string) (name, version string) {
	_, rest, _ := strings.Cut(source, ":")
	if name, version, ok := strings.Cut(rest, "=="); ok {
		return name, version
	}
	at := strings.LastIndex(rest, "@")
	if at <= 0 {
		return rest, ""
	}
	return rest[:at], rest[at+1:]
}
