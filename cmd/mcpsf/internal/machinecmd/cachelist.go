package machinecmd

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// keyWidth is the width of the key column.
const keyWidth = 51

func (c *cacheCommand) show(kept *cache.Cache, asJSON bool) error {
	all, err := kept.Entries()
	if err != nil {
		return err
	}
	var total int64
	for _, e := range all {
		total += e.Bytes
	}
	if asJSON {
		return c.showJSON(kept, all, total)
	}
	wrapped(c.Stdout, safetext.Clean(kept.Dir()))
	fmt.Fprintf(c.Stdout, "%s, %s of %s\n", entries(len(all)), byteSize(total), byteSize(kept.Limit()))
	if len(all) == 0 {
		return nil
	}
	fmt.Fprintln(c.Stdout)
	c.row("KEY", "SIZE", "AGE", "LAST USED")
	now := time.Now()
	for _, e := range all {
		c.row(keyOf(e), byteSize(e.Bytes), age(now, e.Made), age(now, e.Used))
	}
	return nil
}

// row writes one line of the table. A key that is too long for its column is
// written on lines above.
func (c *cacheCommand) row(key, size, made, used string) {
	if ansi.StringWidth(key) > keyWidth {
		wrapped(c.Stdout, key)
		key = ""
	}
	pad := strings.Repeat(" ", max(keyWidth-ansi.StringWidth(key), 0))
	fmt.Fprintf(c.Stdout, "%s%s %10s %6s %10s\n", key, pad, size, made, used)
}

// cacheEntry is an entry in JSON form.
type cacheEntry struct {
	Key    string     `json:"key"`
	Kind   cache.Kind `json:"kind,omitempty"`
	Bytes  int64      `json:"bytes"`
	Files  int        `json:"files"`
	Made   time.Time  `json:"made,omitzero"`
	Used   time.Time  `json:"used,omitzero"`
	Broken bool       `json:"broken,omitempty"`
}

func (c *cacheCommand) showJSON(kept *cache.Cache, all []cache.Entry, total int64) error {
	doc := struct {
		Dir     string       `json:"dir"`
		Bytes   int64        `json:"bytes"`
		Limit   int64        `json:"limit"`
		Entries []cacheEntry `json:"entries"`
	}{kept.Dir(), total, kept.Limit(), []cacheEntry{}}
	for _, e := range all {
		doc.Entries = append(doc.Entries, cacheEntry{e.Key, e.Kind, e.Bytes, e.Files, e.Made.UTC(), e.Used.UTC(), e.Broken})
	}
	data, err := safetext.JSON(doc)
	if err != nil {
		return fmt.Errorf("writing the cache's list: %w", err)
	}
	_, err = c.Stdout.Write(data)
	return err
}

// keyOf is the key of an entry, safe to print.
func keyOf(e cache.Entry) string {
	return cmp.Or(safetext.Clean(e.Key), "(broken)")
}
