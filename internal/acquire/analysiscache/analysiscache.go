// Package analysiscache keeps the results of slow analyses.
//
// In: a directory, the name of the analysing program, keys and values. Out: the
// values, for the same program only. It is one file, read and written as a
// whole. A file that is damaged, or that another program wrote, counts as
// empty. If two processes write, the last one wins: what is lost is analysed
// again.
package analysiscache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf/internal/atomicfile"
)

// no gap: what is larger is not cached, and analysed again
const (
	fileName = "dependencies.json"
	// maxFile bounds what is read, maxKept what is written.
	maxFile = 128 << 20
	maxKept = 48 << 20
)

// Cache is the values of one analysing program.
type Cache struct {
	file string
	day  int64

	mu      sync.Mutex
	content content
	changed bool
}

// content is the file without its first line.
type content struct {
	Reader  string            `json:"reader"`
	Entries map[string]*entry `json:"entries"`
}

type entry struct {
	// Used is the day of the last use, in days since 1970.
	Used  int64           `json:"used"`
	Value json.RawMessage `json:"value"`
}

// Open opens the cache in a directory, which need not exist. reader names the
// analysing program: what another one has written is not read.
func Open(dir, reader string, now time.Time) *Cache {
	c := &Cache{file: filepath.Join(dir, fileName), day: now.Unix() / 86400}
	if kept, err := read(c.file); err == nil && kept.Reader == reader && kept.Entries != nil {
		c.content = *kept
		return c
	}
	c.content = content{Reader: reader, Entries: map[string]*entry{}}
	return c
}

// read reads the file. Its first line is the digest of the rest.
func read(file string) (*content, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var data bytes.Buffer
	if _, err := data.ReadFrom(io.LimitReader(f, maxFile)); err != nil {
		return nil, err
	}
	line, rest, _ := bytes.Cut(data.Bytes(), []byte{'\n'})
	if string(line) != digest(rest) {
		return nil, errors.New("it is damaged")
	}
	c := &content{}
	return c, json.Unmarshal(rest, c)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Get returns a kept value.
func (c *Cache) Get(key string) (value []byte, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.content.Entries[key]
	if p == nil {
		return nil, false
	}
	if p.Used != c.day {
		p.Used, c.changed = c.day, true
	}
	return p.Value, true
}

// Put keeps a value, which is JSON.
func (c *Cache) Put(key string, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.content.Entries[key], c.changed = &entry{c.day, slices.Clone(value)}, true
}

// Changed says whether there is anything to write.
func (c *Cache) Changed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

// Close writes the cache, if it changed, into its directory, which must exist
// by then.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.changed {
		return nil
	}
	c.trim()
	data, err := json.Marshal(&c.content)
	if err != nil {
		return err
	}
	c.changed = false
	return atomicfile.Write(c.file, append([]byte(digest(data)+"\n"), data...), 0o600)
}

// trim removes the least recently used values.
func (c *Cache) trim() {
	keys := make([]string, 0, len(c.content.Entries))
	size := 0
	for key, p := range c.content.Entries {
		keys, size = append(keys, key), size+len(key)+len(p.Value)
	}
	slices.SortFunc(keys, func(x, y string) int { return int(c.content.Entries[x].Used - c.content.Entries[y].Used) })
	for _, key := range keys {
		if size <= maxKept {
			return
		}
		size -= len(key) + len(c.content.Entries[key].Value)
		delete(c.content.Entries, key)
	}
}
