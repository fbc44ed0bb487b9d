package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path"
	"strings"
)

// readManifest reads an entry's whole manifest. What is wrong with it is a
// damage.
func readManifest(f *os.File) (*manifest, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, lost(manifestName, err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxManifest {
		return nil, &damage{manifestName, "is not one"}
	}
	data := make([]byte, info.Size())
	if _, err := f.ReadAt(data, 0); err != nil && !isEOF(err) {
		return nil, lost(manifestName, err)
	}
	return decode(data)
}

// readHeader reads only the header of an entry's manifest.
func readHeader(f *os.File) (*header, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, lost(manifestName, err)
	}
	if !info.Mode().IsRegular() {
		return nil, &damage{manifestName, "is not one"}
	}
	data := make([]byte, min(info.Size(), int64(len(magic)+binary.MaxVarintLen64+maxHeader)))
	if _, err := f.ReadAt(data, 0); err != nil && !isEOF(err) {
		return nil, lost(manifestName, err)
	}
	r := &reader{rest: string(data)}
	h := r.header()
	return &h, r.err
}

func decode(data []byte) (*manifest, error) {
	if len(data) < sha256.Size {
		return nil, &damage{manifestName, "is cut short"}
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, &damage{manifestName, "does not have the digest it was written with"}
	}
	r := &reader{rest: string(body)}
	m := &manifest{header: r.header()}
	if note := r.text(); note != "" {
		m.note = []byte(note)
	}
	r.dirs(m)
	if r.err == nil && r.rest != "" {
		r.fail("goes on behind its end")
	}
	if r.err != nil {
		return nil, r.err
	}
	return m, nil
}

// reader parses a manifest. After the first failure it returns only zeros;
// nothing is allocated because of a number alone.
type reader struct {
	rest string
	err  error
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = &damage{manifestName, what}
	}
	r.rest = ""
}

func (r *reader) header() (h header) {
	rest, ok := strings.CutPrefix(r.rest, magic)
	if !ok {
		r.fail("is not one")
		return h
	}
	r.rest = rest
	text := r.text()
	if r.err != nil {
		return h
	}
	if len(text) > maxHeader || json.Unmarshal([]byte(text), &h) != nil {
		r.fail("has a header that makes no sense")
		return header{}
	}
	if h.Kind != KindFile && h.Kind != KindTree || len(h.Key) > maxKey || h.Bytes < 0 || h.Files < 0 {
		r.fail("has a header that cannot be")
		return header{}
	}
	return h
}

func (r *reader) number() uint64 {
	// A number has at most ten bytes; converting more is useless.
	n, size := binary.Uvarint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	if size <= 0 {
		r.fail("is cut short")
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) take(n uint64) string {
	if n > uint64(len(r.rest)) {
		r.fail("is cut short")
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) text() string { return r.take(r.number()) }

// dirs reads the directories and checks that they are sorted, which makes them
// unique, and that each is listed in its parent.
func (r *reader) dirs(m *manifest) {
	named, last := 1, ""
	for i := range r.number() {
		d := directory{path: r.text()}
		if r.err == nil && (i == 0) != (d.path == "") || i > 0 && (d.path <= last || !localPath(d.path)) {
			r.fail("lists a directory that cannot be")
		}
		last = d.path
		r.items(&d, &named)
		if r.err != nil {
			return
		}
		m.dirs = append(m.dirs, d)
	}
	if r.err == nil && len(m.dirs) != named {
		r.fail("does not list every directory")
	}
}

func (r *reader) items(d *directory, named *int) {
	last := ""
	for range r.number() {
		it := r.item()
		if r.err == nil && (it.name <= last || !localName(it.name)) {
			r.fail("lists a file that cannot be")
		}
		if r.err != nil {
			return
		}
		last = it.name
		if it.kind == itemDir {
			*named++
		}
		d.items = append(d.items, it)
	}
}

func (r *reader) item() (it item) {
	kind := r.take(1)
	if r.err != nil {
		return it
	}
	it.kind = itemKind(kind[0])
	it.name = r.text()
	switch {
	case it.kind.isFile():
		size := r.number()
		if size > math.MaxInt64 {
			r.fail("lists a file of a size that cannot be")
			return it
		}
		it.size = int64(size)
		copy(it.sum[:], r.take(sha256.Size))
	case it.kind == itemLink:
		it.link = r.text()
	case it.kind != itemDir:
		r.fail(fmt.Sprintf("lists something of the unknown kind %q", kind))
	}
	return it
}

// localName reports whether a name stays in the directory it is looked up in.
func localName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}

func localPath(p string) bool {
	return p == path.Clean(p) && p != ".." && !strings.HasPrefix(p, "../") && !path.IsAbs(p) && !strings.ContainsRune(p, 0)
}
