package cache

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// The limits of an entry. They are far above what servers need, and bound the
// effect of a damaged manifest.
// no gap: what is larger is not cached, and fetched again
const (
	maxManifest = 512 << 20
	maxHeader   = 64 << 10
	maxNote     = 64 << 20
	maxItems    = 1 << 20
	maxDepth    = 256
)

// magic begins a manifest.
const magic = "mcpsf cache entry 1\n"

// header describes an entry without its content.
type header struct {
	Kind Kind `json:"kind"`
	// Key is bytes, because a key need not be UTF-8.
	Key  []byte    `json:"key"`
	Made time.Time `json:"made"`
	// Bytes is the content's size on disk, Files the number of its files and
	// links.
	Bytes int64 `json:"bytes"`
	Files int   `json:"files"`
}

// manifest is everything kept for a key.
type manifest struct {
	header
	note []byte
	// dirs are all directories of the content, sorted by path.
	dirs []directory
}

// directory is one directory and all that is in it, sorted by name.
type directory struct {
	path  string // relative to the content, which itself is ""
	items []item
}

// dot is the path in the form that system calls need.
func (d *directory) dot() string { return cmp.Or(d.path, ".") }

// item is one name in a directory. Its kind implies its mode, because the cache
// has only two: readable by others, executable or not.
type item struct {
	kind itemKind
	name string
	size int64             // of a file
	sum  [sha256.Size]byte // of a file
	link string            // the target of a link
}

type itemKind byte

const (
	itemDir     itemKind = 'd'
	itemFile    itemKind = 'f'
	itemProgram itemKind = 'x'
	itemLink    itemKind = 'l'
)

// perm is the mode of the kind; links have none.
func (k itemKind) perm() uint32 {
	if k == itemFile {
		return 0o644
	}
	return 0o755
}

func (k itemKind) isFile() bool { return k == itemFile || k == itemProgram }

// encode writes the manifest: header, note and directories, each string with
// its length in front because names can contain anything, and at the end the
// digest of all that.
func (m *manifest) encode() ([]byte, error) {
	head, err := json.Marshal(m.header)
	if err != nil {
		return nil, fmt.Errorf("describing a cache entry: %w", err)
	}
	b := appendText([]byte(magic), string(head))
	b = appendText(b, string(m.note))
	b = binary.AppendUvarint(b, uint64(len(m.dirs)))
	for _, d := range m.dirs {
		b = appendText(b, d.path)
		b = binary.AppendUvarint(b, uint64(len(d.items)))
		for i := range d.items {
			b = d.items[i].append(b)
		}
	}
	sum := sha256.Sum256(b)
	b = append(b, sum[:]...)
	if len(b) > maxManifest {
		return nil, fmt.Errorf("a cache entry's list of files is larger than %d bytes", maxManifest)
	}
	return b, nil
}

func (it *item) append(b []byte) []byte {
	b = append(b, byte(it.kind))
	b = appendText(b, it.name)
	switch {
	case it.kind.isFile():
		b = binary.AppendUvarint(b, uint64(it.size))
		b = append(b, it.sum[:]...)
	case it.kind == itemLink:
		b = appendText(b, it.link)
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// single reports whether the content is one file and nothing else.
func (m *manifest) single() bool {
	return len(m.dirs) == 1 && len(m.dirs[0].items) == 1 && m.dirs[0].items[0].kind.isFile()
}

// same reports whether two manifests have the same content and note.
func (m *manifest) same(other *manifest) bool {
	return bytes.Equal(m.note, other.note) && slices.EqualFunc(m.dirs, other.dirs, func(a, b directory) bool {
		return a.path == b.path && slices.Equal(a.items, b.items)
	})
}
