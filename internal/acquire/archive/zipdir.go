package archive

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// Zip is parsed here and not by archive/zip, because that reads a directory of
// any size into memory and does not return the local header of an entry, which
// other programs use.

// zipEntry is an entry as the central directory describes it.
type zipEntry struct {
	name     string
	otherWay string // another name in an extra field, "" if there is none
	flags    uint16
	method   uint16
	crc      uint32
	packed   int64
	size     int64
	header   int64  // where its local header is
	limit    int64  // offset of the next entry or the directory
	host     uint16 // the system that the attributes belong to
	attrs    uint32
}

// no gap: what is larger is refused, and the refusal is recorded as a fact
const (
	zipEncrypted  = 1 << 0
	zipDescriptor = 1 << 3 // sizes follow the contents
	zipMasked     = 1 << 13

	zipEndLen       = 22
	zipEnd64Len     = 56
	zipLocatorLen   = 20
	zipCentralLen   = 46
	zipLocalLen     = 30
	maxZipDirectory = 64 << 20
)

// zipError says what is wrong with a zip.
type zipError string

func (e zipError) Error() string { return string(e) }

// zipEnd is the end record, which describes the directory.
type zipEnd struct {
	records, size, offset uint64
	at                    int64 // offset of the end record
	trailing              int64 // bytes after it
}

// readZipDirectory returns the entries, and how many bytes follow the end.
func readZipDirectory(r *io.SectionReader, maxRecords int) ([]zipEntry, int64, error) {
	end, err := findZipEnd(r)
	if err != nil {
		return nil, 0, err
	}
	switch {
	case end.records > uint64(maxRecords):
		return nil, 0, errZipTooMany
	case end.size > maxZipDirectory:
		return nil, 0, zipError("its directory is too large")
	case end.offset > uint64(end.at) || end.size != uint64(end.at)-end.offset:
		return nil, 0, zipError("its directory is not where it says")
	}
	data := make([]byte, end.size)
	if _, err := io.ReadFull(io.NewSectionReader(r, int64(end.offset), int64(end.size)), data); err != nil {
		return nil, 0, err
	}
	entries := make([]zipEntry, 0, min(end.records, end.size/zipCentralLen))
	for range end.records {
		e, n, err := parseCentral(data)
		if err != nil {
			return nil, 0, err
		}
		entries = append(entries, e)
		data = data[n:]
	}
	if len(data) > 0 {
		return nil, 0, zipError("its directory has more entries than it says")
	}
	return entries, end.trailing, checkOverlap(entries, int64(end.offset))
}

var errZipTooMany = errors.New("too many entries")

// findZipEnd searches backwards for the end record. If two are possible,
// programs disagree about the content of the archive.
func findZipEnd(r *io.SectionReader) (zipEnd, error) {
	tail := make([]byte, min(r.Size(), zipEndLen+1<<16))
	from := r.Size() - int64(len(tail))
	if _, err := r.ReadAt(tail, from); err != nil && !errors.Is(err, io.EOF) {
		return zipEnd{}, err
	}
	found := -1
	for at := len(tail) - zipEndLen; at >= 0; at-- {
		if !bytes.HasPrefix(tail[at:], []byte("PK\x05\x06")) {
			continue
		}
		after := at + zipEndLen + int(binary.LittleEndian.Uint16(tail[at+20:]))
		switch {
		case after > len(tail):
		case found < 0:
			found = at
		case after == len(tail):
			return zipEnd{}, zipError("it has two ends, and programs would disagree about what is in it")
		}
	}
	if found < 0 {
		return zipEnd{}, zipError("it has no directory")
	}
	b := tail[found:]
	le := binary.LittleEndian
	if le.Uint16(b[4:]) != le.Uint16(b[6:]) || le.Uint16(b[8:]) != le.Uint16(b[10:]) {
		return zipEnd{}, zipError("it is one part of several")
	}
	e := zipEnd{
		records: uint64(le.Uint16(b[10:])), size: uint64(le.Uint32(b[12:])), offset: uint64(le.Uint32(b[16:])),
		at: from + int64(found), trailing: int64(len(b)) - zipEndLen - int64(le.Uint16(b[20:])),
	}
	return e.extended(r)
}

// extended applies the zip64 record, if there is one. It may add to the
// ordinary record, but must not contradict it.
func (e zipEnd) extended(r io.ReaderAt) (zipEnd, error) {
	le := binary.LittleEndian
	full := e.records == 0xffff || e.size == 0xffffffff || e.offset == 0xffffffff
	at := e.at - zipLocatorLen - zipEnd64Len
	b := make([]byte, zipEnd64Len+zipLocatorLen)
	if at < 0 {
		b = nil
	} else if _, err := r.ReadAt(b, at); err != nil {
		return e, err
	}
	if b == nil || !bytes.HasPrefix(b[zipEnd64Len:], []byte("PK\x06\x07")) {
		if full && e.size != 0xffffffff && e.offset != 0xffffffff {
			return e, nil // it really has that many entries
		}
		if full {
			return e, zipError("the record with its true size is missing")
		}
		return e, nil
	}
	if !bytes.HasPrefix(b, []byte("PK\x06\x06")) || le.Uint64(b[4:]) != zipEnd64Len-12 || le.Uint64(b[zipEnd64Len+8:]) != uint64(at) {
		return e, zipError("the record with its true size is not where it says")
	}
	big := zipEnd{records: le.Uint64(b[32:]), size: le.Uint64(b[40:]), offset: le.Uint64(b[48:]), at: at, trailing: e.trailing}
	differ := func(small, large, full uint64) bool { return small != full && small != large }
	if differ(e.records, big.records, 0xffff) || differ(e.size, big.size, 0xffffffff) || differ(e.offset, big.offset, 0xffffffff) {
		return e, zipError("its two ends disagree")
	}
	return big, nil
}

// parseCentral reads one record of the directory and returns its length.
func parseCentral(b []byte) (zipEntry, int, error) {
	le := binary.LittleEndian
	if len(b) < zipCentralLen || !bytes.HasPrefix(b, []byte("PK\x01\x02")) {
		return zipEntry{}, 0, zipError("its directory has fewer entries than it says")
	}
	name, extra, comment := int(le.Uint16(b[28:])), int(le.Uint16(b[30:])), int(le.Uint16(b[32:]))
	n := zipCentralLen + name + extra + comment
	if n > len(b) {
		return zipEntry{}, 0, zipError("its directory is cut short")
	}
	e := zipEntry{
		name:  string(b[zipCentralLen : zipCentralLen+name]),
		flags: le.Uint16(b[8:]), method: le.Uint16(b[10:]), crc: le.Uint32(b[16:]),
		packed: int64(le.Uint32(b[20:])), size: int64(le.Uint32(b[24:])), header: int64(le.Uint32(b[42:])),
		host: le.Uint16(b[4:]) >> 8, attrs: le.Uint32(b[38:]),
	}
	if err := e.extra(b[zipCentralLen+name : zipCentralLen+name+extra]); err != nil {
		return e, 0, err
	}
	return e, n, nil
}

// extra applies the extra fields: 64-bit sizes, and a second name.
func (e *zipEntry) extra(b []byte) error {
	le := binary.LittleEndian
	wide := []*int64{}
	for _, v := range []*int64{&e.size, &e.packed, &e.header} {
		if *v == 0xffffffff {
			wide = append(wide, v)
		}
	}
	for len(b) >= 4 {
		id, n := le.Uint16(b), int(le.Uint16(b[2:]))
		if b = b[4:]; n > len(b) {
			break // padding, as some alignment tools write
		}
		field := b[:n]
		b = b[n:]
		switch {
		case id == 0x7075 && n > 5:
			e.otherWay = string(field[5:])
		case id == 1:
			for ; len(wide) > 0 && len(field) >= 8; field, wide = field[8:], wide[1:] {
				*wide[0] = int64(le.Uint64(field))
			}
		}
	}
	// no gap: what is larger is refused, and the refusal is recorded as a fact
	const most = 1 << 62 // sums stay in range
	if len(wide) > 0 || uint64(e.size) > most || uint64(e.packed) > most || uint64(e.header) > most {
		return zipError("the size of an entry is missing or impossible")
	}
	return nil
}

// checkOverlap refuses entries that share bytes: that is how a small zip holds
// petabytes, and how two programs see different contents. The local headers are
// checked when they are read.
func checkOverlap(entries []zipEntry, end int64) error {
	order := make([]*zipEntry, len(entries))
	for i := range entries {
		order[i] = &entries[i]
	}
	slices.SortStableFunc(order, func(a, b *zipEntry) int { return cmp.Compare(a.header, b.header) })
	for i, e := range order {
		e.limit = end
		if i+1 < len(order) {
			e.limit = min(end, order[i+1].header)
		}
		if !e.fits(e.header + zipLocalLen + int64(len(e.name))) {
			return errZipOverlap
		}
	}
	return nil
}

const errZipOverlap zipError = "its entries overlap or lie beyond its end, as only those of a bomb do"

// fits reports whether contents that begin at start end before the next entry.
func (e *zipEntry) fits(start int64) bool {
	return start <= e.limit && e.packed <= e.limit-start
}
