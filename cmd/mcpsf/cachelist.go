package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// cacheWidth is how wide the cache's lines are, keyWidth how much of that a
// key may take beside the other columns.
const (
	cacheWidth = 80
	keyWidth   = 51
)

func (a *app) showCache(c *cache.Cache, asJSON bool) error {
	entries, err := c.Entries()
	if err != nil {
		return err
	}
	var total int64
	for _, e := range entries {
		total += e.Bytes
	}
	if asJSON {
		return a.cacheJSON(c, entries, total)
	}
	a.wrapped(safetext.Clean(c.Dir()))
	fmt.Fprintf(a.stdout, "%s, %s of %s\n", count(len(entries), "entry", "entries"), byteSize(total), byteSize(c.Limit()))
	if len(entries) == 0 {
		return nil
	}
	fmt.Fprintln(a.stdout)
	a.row("KEY", "SIZE", "AGE", "LAST USED")
	now := time.Now()
	for _, e := range entries {
		a.row(keyOf(e), byteSize(e.Bytes), age(now, e.Made), age(now, e.Used))
	}
	return nil
}

// row writes one line of the table. A key too long for its column has lines
// of its own above.
func (a *app) row(key, size, made, used string) {
	if ansi.StringWidth(key) > keyWidth {
		a.wrapped(key)
		key = ""
	}
	pad := strings.Repeat(" ", max(keyWidth-ansi.StringWidth(key), 0))
	fmt.Fprintf(a.stdout, "%s%s %10s %6s %10s\n", key, pad, size, made, used)
}

// wrapped writes text that may have no spaces to break it at.
func (a *app) wrapped(s string) {
	fmt.Fprintln(a.stdout, strings.ReplaceAll(ansi.Hardwrap(s, cacheWidth-2, true), "\n", "\n  "))
}

// cacheEntry is an entry as JSON has it.
type cacheEntry struct {
	Key    string     `json:"key"`
	Kind   cache.Kind `json:"kind,omitempty"`
	Bytes  int64      `json:"bytes"`
	Files  int        `json:"files"`
	Made   time.Time  `json:"made,omitzero"`
	Used   time.Time  `json:"used,omitzero"`
	Broken bool       `json:"broken,omitempty"`
}

func (a *app) cacheJSON(c *cache.Cache, entries []cache.Entry, total int64) error {
	doc := struct {
		Dir     string       `json:"dir"`
		Bytes   int64        `json:"bytes"`
		Limit   int64        `json:"limit"`
		Entries []cacheEntry `json:"entries"`
	}{c.Dir(), total, c.Limit(), []cacheEntry{}}
	for _, e := range entries {
		doc.Entries = append(doc.Entries, cacheEntry{e.Key, e.Kind, e.Bytes, e.Files, e.Made.UTC(), e.Used.UTC(), e.Broken})
	}
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the cache's list: %w", err)
	}
	_, err = fmt.Fprintln(a.stdout, asciiJSON(string(data)))
	return err
}

// asciiJSON escapes what a terminal could act on and encoding/json leaves.
func asciiJSON(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < 0x7f:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// keyOf is the key of an entry, fit to be printed.
func keyOf(e cache.Entry) string {
	return cmp.Or(safetext.Clean(e.Key), "(broken)")
}

// age is the time since t in its largest unit.
func age(now, t time.Time) string {
	d := max(now.Sub(t), 0)
	switch {
	case t.IsZero():
		return "-"
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

func byteSize(n int64) string {
	v, unit := float64(n), 0
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for v >= 1024 && unit < len(units)-1 {
		v /= 1024
		unit++
	}
	if v == float64(int64(v)) {
		return fmt.Sprintf("%.0f %s", v, units[unit])
	}
	return fmt.Sprintf("%.1f %s", v, units[unit])
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
