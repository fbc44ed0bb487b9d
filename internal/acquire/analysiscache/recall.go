// Package analysiscache keeps what took long to find out.
//
// In: a directory, who finds things out, keys and values. Out: the values
// again, to the same reader only. It is one file, read as a whole and written
// as a whole; one that is damaged, or another reader's, is an empty one. Of
// two processes that write, the last one counts: what is lost is found out
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

const (
	fileName = "dependencies.json"
	// maxFile is what is read at most, maxKept what is written.
	maxFile = 128 << 20
	maxKept = 48 << 20
)

// Book is what is remembered.
type Book struct {
	file string
	day  int64

	mu      sync.Mutex
	content content
	changed bool
}

// content is the file, but for its first line.
type content struct {
	Reader string           `json:"reader"`
	Pages  map[string]*page `json:"pages"`
}

type page struct {
	// Used is the day it was last asked for, since 1970.
	Used  int64           `json:"used"`
	Value json.RawMessage `json:"value"`
}

// Open opens the book in a directory, which need not be there. Reader names
// the program that finds things out: what another one has written is not read.
func Open(dir, reader string, now time.Time) *Book {
	b := &Book{file: filepath.Join(dir, fileName), day: now.Unix() / 86400}
	if c, err := read(b.file); err == nil && c.Reader == reader && c.Pages != nil {
		b.content = *c
		return b
	}
	b.content = content{Reader: reader, Pages: map[string]*page{}}
	return b
}

// read gives what the file has. Its first line is the digest of the rest.
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

// Get gives a value that was put there.
func (b *Book) Get(key string) (value []byte, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.content.Pages[key]
	if p == nil {
		return nil, false
	}
	if p.Used != b.day {
		p.Used, b.changed = b.day, true
	}
	return p.Value, true
}

// Put keeps a value, which is JSON.
func (b *Book) Put(key string, value []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.content.Pages[key], b.changed = &page{b.day, slices.Clone(value)}, true
}

// Changed tells whether there is anything to write.
func (b *Book) Changed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changed
}

// Close writes the book, if there is anything new, into its directory, which
// has to be there by then.
func (b *Book) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.changed {
		return nil
	}
	b.trim()
	data, err := json.Marshal(&b.content)
	if err != nil {
		return err
	}
	b.changed = false
	return atomicfile.Write(b.file, append([]byte(digest(data)+"\n"), data...), 0o600)
}

// trim leaves out what was not used for longest.
func (b *Book) trim() {
	keys := make([]string, 0, len(b.content.Pages))
	size := 0
	for key, p := range b.content.Pages {
		keys, size = append(keys, key), size+len(key)+len(p.Value)
	}
	slices.SortFunc(keys, func(x, y string) int { return int(b.content.Pages[x].Used - b.content.Pages[y].Used) })
	for _, key := range keys {
		if size <= maxKept {
			return
		}
		size -= len(key) + len(b.content.Pages[key].Value)
		delete(b.content.Pages, key)
	}
}
