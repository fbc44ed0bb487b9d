package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// results are everything that was measured.
type results struct {
	Date    string `json:"date"`
	Machine string `json:"machine"`
	Rounds  int    `json:"rounds"`
	Rows    []*row `json:"rows"`
}

// row is one quantity, measured in up to three ways.
type row struct {
	Name         string `json:"name"`
	Unit         string `json:"unit"`
	MoreIsBetter bool   `json:"more_is_better,omitempty"`
	// Samples are the measurements, one per round.
	Samples [ways][]float64 `json:"samples"`
	Medians [ways]float64   `json:"medians"`
	// Hooks is the observer's cost: with it over without. Sandbox is the whole
	// cost: observed over native. Both are medians over the rounds.
	Hooks   float64 `json:"hooks,omitempty"`
	Sandbox float64 `json:"sandbox,omitempty"`
	// Max is the limit for the observed way, and MaxHooks the limit for Hooks; 0
	// if there is none.
	Max      float64 `json:"max,omitempty"`
	MaxHooks float64 `json:"max_hooks,omitempty"`
}

func (r *row) add(w way, value float64) { r.Samples[w] = append(r.Samples[w], value) }

// finish computes the medians and ratios from the samples.
func (r *row) finish() {
	for w, s := range r.Samples {
		r.Medians[w] = median(s)
	}
	r.Hooks = r.ratio(observed, bare)
	r.Sandbox = r.ratio(observed, native)
}

// ratio is how many times worse a is than b.
func (r *row) ratio(a, b way) float64 {
	var quotients []float64
	for i := range min(len(r.Samples[a]), len(r.Samples[b])) {
		q := r.Samples[a][i] / r.Samples[b][i]
		if r.MoreIsBetter {
			q = 1 / q
		}
		quotients = append(quotients, q)
	}
	return median(quotients)
}

// median of nothing is 0.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

func (r *results) writeJSON(to io.Writer) error {
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

func (r *results) writeTable(to io.Writer) error {
	fmt.Fprintf(to, "%s, %s; medians of %d rounds\n\n", r.Date, r.Machine, r.Rounds)
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tnative\tgVisor\tobserved\t\tobserved/gVisor\tobserved/native\ttarget")
	for _, row := range r.Rows {
		cells := []string{row.Name}
		for _, m := range row.Medians {
			cells = append(cells, number(m))
		}
		cells = append(cells, row.Unit, times(row.Hooks), times(row.Sandbox), row.promise())
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	return table.Flush()
}

// promise says what was promised of the row and whether it was kept.
func (r *row) promise() string {
	var parts []string
	check := func(format string, got, limit float64) {
		if limit == 0 {
			return
		}
		verdict := "met"
		if got > limit {
			verdict = "MISSED"
		}
		parts = append(parts, fmt.Sprintf(format, limit)+": "+verdict)
	}
	check("%g "+r.Unit, r.Medians[observed], r.Max)
	check("hooks %gx", r.Hooks, r.MaxHooks)
	return strings.Join(parts, ", ")
}

// number prints three significant digits, and "" for 0.
func number(v float64) string {
	switch {
	case v == 0:
		return ""
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func times(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%.2fx", v)
}
