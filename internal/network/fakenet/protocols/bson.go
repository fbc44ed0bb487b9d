package protocols

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/document"
)

// mongoRequest is a decoded command: its first field, which names it, the fields of a
// login, and all of it.
type mongoRequest struct {
	name, value string
	mechanism   string
	payload     []byte
	// json is the whole document as JSON.
	json string

	body      document.Doc
	documents document.List // beside the command
}

// The types of fields.
const (
	bsonDouble   = 0x01
	bsonText     = 0x02
	bsonDocument = 0x03
	bsonArray    = 0x04
	bsonBinary   = 0x05
	bsonBool     = 0x08
	bsonNull     = 0x0a
	bsonInt      = 0x10
	bsonLong     = 0x12
)

// parseDocument reads the fields up to the first one of unknown type.
func parseDocument(p []byte) (d mongoRequest) {
	if len(p) < 5 {
		return d
	}
	var text strings.Builder
	asJSON(&text, p, false, 0)
	d.json = text.String()
	p = p[4:]
	for first := true; len(p) > 1 && p[0] != 0; first = false {
		kind := p[0]
		key, rest := cstring(p[1:])
		n, from := width(kind, rest)
		if n < 0 || n > len(rest) {
			return d
		}
		value := rest[from:n]
		if first {
			d.name = key
		}
		switch {
		case first && kind == bsonText && len(value) > 0:
			d.value = string(value[:len(value)-1])
		case key == "mechanism" && kind == bsonText && len(value) > 0:
			d.mechanism = string(value[:len(value)-1])
		case key == "payload" && kind == bsonBinary:
			d.payload = value
		}
		p = rest[n:]
	}
	return d
}

// width is the length of a value and the offset of its content; -1 if the type
// is unknown.
func width(kind byte, p []byte) (n, from int) {
	size := -1
	if len(p) >= 4 {
		size = int(binary.LittleEndian.Uint32(p))
	}
	switch kind {
	case bsonDouble, bsonLong, 0x09, 0x11:
		return 8, 0
	case bsonInt:
		return 4, 0
	case bsonBool:
		return 1, 0
	case bsonNull:
		return 0, 0
	case 0x07: // an object id
		return 12, 0
	case bsonText:
		if size >= 0 {
			return 4 + size, 4
		}
	case bsonBinary:
		if size >= 0 {
			return 5 + size, 5
		}
	case bsonDocument, bsonArray:
		if size >= 4 {
			return size, 4
		}
	}
	return -1, 0
}

// bson builds a document field by field.
type bson struct{ p []byte }

func newBSON() *bson { return &bson{} }

func (b *bson) field(kind byte, name string, value []byte) *bson {
	b.p = append(append(b.p, kind), cstrings(name)...)
	b.p = append(b.p, value...)
	return b
}

// ok adds the field "ok", which ends every answer.
func (b *bson) ok(f float64) *bson {
	return b.field(bsonDouble, "ok", binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)))
}

func (b *bson) text(name, s string) *bson {
	return b.field(bsonText, name, append(le32(len(s)+1), cstrings(s)...))
}

func (b *bson) int(name string, n int) *bson { return b.field(bsonInt, name, le32(n)) }

func (b *bson) long(name string, n int64) *bson {
	return b.field(bsonLong, name, binary.LittleEndian.AppendUint64(nil, uint64(n)))
}

func (b *bson) yes(name string) *bson { return b.field(bsonBool, name, []byte{1}) }

func (b *bson) no(name string) *bson { return b.field(bsonBool, name, []byte{0}) }

func (b *bson) null(name string) *bson { return b.field(bsonNull, name, nil) }

func (b *bson) document(name string, d *bson) { b.field(bsonDocument, name, d.bytes()) }

// list adds an empty array.
func (b *bson) list(name string) *bson { return b.field(bsonArray, name, newBSON().bytes()) }

func (b *bson) binary(name string, p []byte) *bson {
	return b.field(bsonBinary, name, append(append(le32(len(p)), 0), p...))
}

func (b *bson) bytes() []byte { return append(append(le32(len(b.p)+5), b.p...), 0) }

func le32(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }
