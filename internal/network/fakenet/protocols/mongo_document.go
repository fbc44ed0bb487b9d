package protocols

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/document"
)

// The types of fields that only documents have.
const (
	bsonID       = 0x07
	bsonDate     = 0x09
	bsonRegexp   = 0x0b
	bsonTime     = 0x11
	bsonDecimal  = 0x13
	documentsMax = 40 // levels of documents that are read
)

// readDocument decodes a document up to the first field that cannot be read.
func readDocument(p []byte, depth int) document.Doc {
	var d document.Doc
	eachField(p, depth, func(name string, v any) { d = append(d, document.Member{Name: name, Value: v}) })
	return d
}

func eachField(p []byte, depth int, visit func(name string, v any)) {
	if len(p) < 5 || depth > documentsMax {
		return
	}
	for p = p[4:]; len(p) > 1 && p[0] != 0; {
		kind := p[0]
		name, rest := cstring(p[1:])
		v, n := fieldValue(kind, rest, depth)
		if n < 0 {
			return
		}
		visit(strings.ToValidUTF8(name, "?"), v)
		p = rest[n:]
	}
}

// fieldValue decodes a value, and returns how long it is; -1 if it cannot be read.
func fieldValue(kind byte, p []byte, depth int) (v any, n int) {
	if kind == bsonRegexp {
		pattern, rest := cstring(p)
		options, left := cstring(rest)
		return document.Regexp{Pattern: pattern, Options: options}, len(p) - len(left)
	}
	n, from := width(kind, p)
	switch kind {
	case bsonCode:
		n, from = width(bsonText, p)
	case bsonDecimal:
		n, from = 16, 0
	case 0x06, 0x7f, 0xff: // undefined, and the largest and smallest keys
		n, from = 0, 0
	}
	if n < 0 || n > len(p) || from > n {
		return nil, -1
	}
	switch kind {
	case bsonDouble:
		return math.Float64frombits(binary.LittleEndian.Uint64(p)), n
	case bsonText, bsonCode:
		return strings.ToValidUTF8(strings.TrimSuffix(string(p[from:n]), "\x00"), "?"), n
	case bsonDocument:
		d := readDocument(p[:n], depth+1)
		if d == nil {
			d = document.Doc{}
		}
		return d, n
	case bsonArray:
		list := document.List{}
		eachField(p[:n], depth+1, func(_ string, v any) { list = append(list, v) })
		return list, n
	case bsonBinary:
		return document.Binary{Kind: p[4], Data: append([]byte(nil), p[from:n]...)}, n
	case bsonID:
		return document.ID(p[:12]), n
	case bsonBool:
		return p[0] != 0, n
	case bsonDate:
		return time.UnixMilli(int64(binary.LittleEndian.Uint64(p))).UTC(), n
	case bsonNull, 0x06:
		return nil, n
	case bsonInt:
		return int32(binary.LittleEndian.Uint32(p)), n
	case bsonLong:
		return int64(binary.LittleEndian.Uint64(p)), n
	}
	return document.Other{Kind: kind, Data: append([]byte(nil), p[:n]...)}, n
}

// writeDocument encodes a document.
func writeDocument(d document.Doc) *bson {
	b := newBSON()
	for _, m := range d {
		b.value(m.Name, m.Value)
	}
	return b
}

// value adds a field of any type.
func (b *bson) value(name string, v any) {
	name, _, _ = strings.Cut(name, "\x00")
	switch v := v.(type) {
	case nil:
		b.null(name)
	case bool:
		b.field(bsonBool, name, []byte{map[bool]byte{true: 1}[v]})
	case int32:
		b.int(name, int(v))
	case int64:
		b.long(name, v)
	case float64:
		b.field(bsonDouble, name, binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	case string:
		b.text(name, v)
	case time.Time:
		b.field(bsonDate, name, binary.LittleEndian.AppendUint64(nil, uint64(v.UnixMilli())))
	case document.ID:
		b.field(bsonID, name, v[:])
	case document.Binary:
		b.field(bsonBinary, name, append(append(le32(len(v.Data)), v.Kind), v.Data...))
	case document.Regexp:
		b.field(bsonRegexp, name, cstrings(v.Pattern, v.Options))
	case document.Other:
		b.field(v.Kind, name, v.Data)
	case document.Doc:
		b.document(name, writeDocument(v))
	case document.List:
		list := newBSON()
		for i, one := range v {
			list.value(strconv.Itoa(i), one)
		}
		b.field(bsonArray, name, list.bytes())
	}
}

// sections finds the command in a message, and the documents beside it. Of a message
// of which only the beginning was kept these are the whole ones.
func sections(p []byte) (body []byte, list document.List) {
	for len(p) > 5 {
		size := int64(binary.LittleEndian.Uint32(p[1:]))
		if size < 5 || p[0] > 1 {
			return body, list
		}
		whole := p[1:min(int64(len(p)), size+1)]
		if p[0] == 0 {
			body = whole
		} else {
			_, rest := cstring(whole[4:])
			for len(rest) >= 5 {
				n := int64(binary.LittleEndian.Uint32(rest))
				if n < 5 || n > int64(len(rest)) {
					break
				}
				list = append(list, readDocument(rest[:n], 0))
				rest = rest[n:]
			}
		}
		p = p[len(whole)+1:]
	}
	return body, list
}
