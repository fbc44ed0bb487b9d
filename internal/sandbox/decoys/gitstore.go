package decoys

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // the names of git's objects
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Git's object types, as numbered in a pack.
const (
	gitCommit = 1
	gitTree   = 2
	gitBlob   = 3
)

// gitID is the name of an object: the hash of its content.
type gitID [sha1.Size]byte

// gitStore collects the objects of a repository.
type gitStore map[gitID]*gitObject

type gitObject struct {
	kind    byte
	content []byte
	packed  []byte // set by pack
}

func (s gitStore) put(kind byte, content []byte) gitID {
	name := map[byte]string{gitCommit: "commit", gitTree: "tree", gitBlob: "blob"}[kind]
	head := name + " " + strconv.Itoa(len(content)) + "\x00"
	id := gitID(sha1.Sum(append([]byte(head), content...))) //nolint:gosec // see above
	s[id] = &gitObject{kind: kind, content: content}
	return id
}

// tree adds files by their paths, and their directories.
func (s gitStore) tree(files map[string]string) gitID {
	entries := map[string]string{}
	below := map[string]map[string]string{}
	for name, content := range files {
		dir, rest, nested := strings.Cut(name, "/")
		if !nested {
			id := s.put(gitBlob, []byte(content))
			entries[name] = "100644 " + name + "\x00" + string(id[:])
			continue
		}
		if below[dir] == nil {
			below[dir] = map[string]string{}
		}
		below[dir][rest] = content
	}
	for dir, inside := range below {
		id := s.tree(inside)
		entries[dir+"/"] = "40000 " + dir + "\x00" + string(id[:]) // git sorts a directory as if its name ended so
	}
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		b = append(b, entries[name]...)
	}
	return s.put(gitTree, b)
}

// pack writes all objects into one file, and its index. Loose objects would be
// simpler, but their names depend on the time of the commits, and the paths of
// a home must not.
func (s gitStore) pack() (pack, index []byte, err error) {
	ids := slices.SortedFunc(maps.Keys(s), func(a, b gitID) int { return bytes.Compare(a[:], b[:]) })
	pack = binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(ids)))
	var sums, offsets []byte
	var z bytes.Buffer
	w, err := zlib.NewWriterLevel(&z, zlib.BestSpeed) // higher levels allocate tables larger than all objects
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		o := s[id]
		z.Reset()
		w.Reset(&z)
		if _, err = w.Write(o.content); err == nil {
			err = w.Close()
		}
		if err != nil {
			return nil, nil, err
		}
		o.packed = append(o.packHead(), z.Bytes()...)
		sums = binary.BigEndian.AppendUint32(sums, crc32.ChecksumIEEE(o.packed))
		offsets = binary.BigEndian.AppendUint32(offsets, uint32(len(pack)))
		pack = append(pack, o.packed...)
	}
	pack = withHash(pack)
	return pack, packIndex(ids, slices.Concat(sums, offsets, pack[len(pack)-sha1.Size:])), nil
}

// packIndex starts with the number of objects up to each first byte of their
// names.
func packIndex(ids []gitID, rest []byte) []byte {
	index := []byte("\xfftOc\x00\x00\x00\x02")
	for first := range 256 {
		n, _ := slices.BinarySearchFunc(ids, first+1, func(id gitID, b int) int { return cmp.Compare(int(id[0]), b) })
		index = binary.BigEndian.AppendUint32(index, uint32(n))
	}
	for _, id := range ids {
		index = append(index, id[:]...)
	}
	return withHash(append(index, rest...))
}

// packHead encodes an object's type and size: four bits of the size beside the
// type, then seven in each byte.
func (o *gitObject) packHead() []byte {
	size := len(o.content)
	head := []byte{o.kind<<4 | byte(size&0x0f)}
	for size >>= 4; size > 0; size >>= 7 {
		head[len(head)-1] |= 0x80
		head = append(head, byte(size&0x7f))
	}
	return head
}

// stagingArea is git's index: here it equals the last commit. It has no file
// times, so git reads the files' content and finds them unchanged.
func (s gitStore) stagingArea(files map[string]string) []byte {
	b := binary.BigEndian.AppendUint32([]byte("DIRC\x00\x00\x00\x02"), uint32(len(files)))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		id := s.put(gitBlob, []byte(files[name]))
		start := len(b)
		b = append(b, make([]byte, 40)...) // times, device, mode, owner, size
		binary.BigEndian.PutUint32(b[start+24:], 0o100644)
		binary.BigEndian.PutUint32(b[start+36:], uint32(len(files[name])))
		b = append(b, id[:]...)
		b = binary.BigEndian.AppendUint16(b, uint16(len(name)))
		b = append(b, name...)
		b = append(b, make([]byte, 8-(len(b)-start)%8)...)
	}
	return withHash(b)
}

// withHash appends the hash of a file.
func withHash(b []byte) []byte {
	sum := sha1.Sum(b) //nolint:gosec // see above
	return append(b, sum[:]...)
}
