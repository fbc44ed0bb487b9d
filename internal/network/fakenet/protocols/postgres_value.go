package protocols

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/relational"
)

// The days and microseconds of PostgreSQL count from here.
func postgresEpoch() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

func itoa(n int) string { return strconv.Itoa(n) }

// encodeValue writes a value in text or in the binary form of its type.
func encodeValue(v relational.Value, t relational.Type, isBinary bool) []byte {
	text := relational.Postgres.Format(v, t)
	if !isBinary {
		return []byte(text)
	}
	switch t.Kind {
	case relational.Bool:
		return []byte{map[bool]byte{true: 1}[text == "t"]}
	case relational.Int2:
		return be16(int(wholeOf(v)) & 0xffff)
	case relational.Int4, relational.OID:
		return be32(uint32(wholeOf(v)))
	case relational.Int8:
		return binary.BigEndian.AppendUint64(nil, uint64(wholeOf(v)))
	case relational.Float8:
		f, _ := strconv.ParseFloat(text, 64)
		return binary.BigEndian.AppendUint64(nil, math.Float64bits(f))
	case relational.Numeric:
		return encodeNumeric(text)
	case relational.TimestampTZ, relational.Timestamp:
		if at, ok := v.(time.Time); ok {
			return binary.BigEndian.AppendUint64(nil, uint64(at.Sub(postgresEpoch()).Microseconds()))
		}
	case relational.Date:
		if at, ok := v.(time.Time); ok {
			return be32(uint32(int32(at.Sub(postgresEpoch()).Hours() / 24)))
		}
	case relational.JSONB:
		return append([]byte{1}, text...)
	case relational.UUID:
		p, _ := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
		return append(p, make([]byte, 16)...)[:16]
	case relational.TextArray, relational.IntArray:
		list, _ := v.([]relational.Value)
		return encodeArray(list, t.Kind)
	}
	return []byte(text)
}

func wholeOf(v relational.Value) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case float64:
		return int64(math.RoundToEven(v))
	case bool:
		if v {
			return 1
		}
	case string:
		n, _ := strconv.ParseInt(v, 10, 64)
		return n
	}
	return 0
}

func encodeArray(list []relational.Value, kind relational.Kind) []byte {
	element := relational.Type{Kind: relational.Text}
	if kind == relational.IntArray {
		element.Kind = relational.Int4
	}
	dimensions := uint32(1)
	if len(list) == 0 {
		dimensions = 0
	}
	p := append(be32(dimensions), be32(1)...)
	p = append(p, be32(element.Kind.OID())...)
	if dimensions > 0 {
		p = append(append(p, be32(uint32(len(list)))...), be32(1)...)
	}
	for _, v := range list {
		if v == nil {
			p = append(p, be32(0xffffffff)...)
			continue
		}
		one := encodeValue(v, element, true)
		p = append(append(p, be32(uint32(len(one)))...), one...)
	}
	return p
}

// encodeNumeric writes a decimal number in digits of base 10000.
func encodeNumeric(s string) []byte {
	sign := 0
	if strings.HasPrefix(s, "-") {
		sign, s = 0x4000, s[1:]
	}
	if s == "NaN" || strings.ContainsAny(s, "eIn") {
		return append(append(append(be16(0), be16(0)...), be16(0xc000)...), be16(0)...)
	}
	whole, fraction, _ := strings.Cut(s, ".")
	scale := len(fraction)
	whole = strings.TrimLeft(whole, "0")
	whole = strings.Repeat("0", (4-len(whole)%4)%4) + whole
	fraction += strings.Repeat("0", (4-len(fraction)%4)%4)
	digits, weight := whole+fraction, len(whole)/4-1
	var list []byte
	for ; len(digits) >= 4; digits = digits[4:] {
		n, _ := strconv.Atoi(digits[:4])
		list = append(list, be16(n)...)
	}
	p := append(be16(len(list)/2), be16(weight&0xffff)...)
	p = append(append(p, be16(sign)...), be16(scale)...)
	return append(p, list...)
}

func decodeNumeric(p []byte) (float64, bool) {
	if len(p) < 8 {
		return 0, false
	}
	n, weight := int(binary.BigEndian.Uint16(p)), int(int16(binary.BigEndian.Uint16(p[2:])))
	sign := binary.BigEndian.Uint16(p[4:])
	if len(p) < 8+2*n || n > 100 {
		return 0, false
	}
	f := 0.0
	for i := range n {
		f += float64(binary.BigEndian.Uint16(p[8+2*i:])) * math.Pow(10000, float64(weight-i))
	}
	if sign == 0x4000 {
		f = -f
	}
	return math.Round(f*1e10) / 1e10, sign != 0xc000
}

// binder reads the rest of a Bind message.
type binder struct {
	p   []byte
	err error
}

func (b *binder) number() int {
	if len(b.p) < 2 {
		b.p = nil
		return 0
	}
	n := int(binary.BigEndian.Uint16(b.p))
	b.p = b.p[2:]
	return n
}

func (b *binder) formats() []uint16 {
	var list []uint16
	for range min(b.number(), len(b.p)/2) {
		list = append(list, uint16(b.number()))
	}
	return list
}

// params reads the parameters of a statement.
func (b *binder) params(st *prepared) []relational.Value {
	formats := b.formats()
	var list []relational.Value
	for i := range min(b.number(), len(b.p)/4) {
		if len(b.p) < 4 {
			return list
		}
		size := int32(binary.BigEndian.Uint32(b.p))
		b.p = b.p[4:]
		if size < 0 {
			list = append(list, nil)
			continue
		}
		if int64(size) > int64(len(b.p)) {
			b.err = &relational.Error{State: "08P01", Message: "insufficient data left in message"}
			return list
		}
		kind := relational.Unknown
		if i < len(st.declared) {
			kind = st.declared[i]
		}
		if st.st != nil && kind == relational.Unknown && i < len(st.st.Params) {
			kind = st.st.Params[i].Kind
		}
		v, ok := decodeValue(b.p[:size], kind, formatOf(formats, i) == 1)
		if !ok {
			b.err = &relational.Error{State: "22P03", Message: "incorrect binary data format in bind parameter " + itoa(i+1)}
		}
		list, b.p = append(list, v), b.p[size:]
	}
	return list
}

// decodeValue reads a parameter. Texts stay texts: the engine reads them as what
// they stand beside.
func decodeValue(p []byte, kind relational.Kind, isBinary bool) (relational.Value, bool) {
	if !isBinary {
		return strings.ToValidUTF8(string(p), "?"), true
	}
	whole := func(n int64, size int) (relational.Value, bool) { return n, len(p) == size }
	switch kind {
	case relational.Bool:
		return len(p) == 1 && p[0] != 0, len(p) == 1
	case relational.Int2, relational.Int4, relational.Int8, relational.OID:
		switch len(p) {
		case 2:
			return whole(int64(int16(binary.BigEndian.Uint16(p))), 2)
		case 4:
			return whole(int64(int32(binary.BigEndian.Uint32(p))), 4)
		case 8:
			return whole(int64(binary.BigEndian.Uint64(p)), 8)
		}
		return nil, false
	case relational.Float8:
		if len(p) != 8 {
			return nil, false
		}
		return math.Float64frombits(binary.BigEndian.Uint64(p)), true
	case relational.Numeric:
		return decodeNumeric(p)
	case relational.TimestampTZ, relational.Timestamp:
		if len(p) != 8 {
			return nil, false
		}
		micros := int64(binary.BigEndian.Uint64(p))
		return time.Unix(postgresEpoch().Unix()+micros/1e6, micros%1e6*1e3).UTC(), true
	case relational.Date:
		if len(p) != 4 {
			return nil, false
		}
		return postgresEpoch().AddDate(0, 0, int(int32(binary.BigEndian.Uint32(p)))), true
	case relational.UUID:
		if len(p) != 16 {
			return nil, false
		}
		s := hex.EncodeToString(p)
		return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:], true
	case relational.JSONB:
		return string(p[min(1, len(p)):]), true
	case relational.TextArray, relational.IntArray:
		return decodeArray(p)
	}
	return strings.ToValidUTF8(string(p), "?"), true
}

func decodeArray(p []byte) (relational.Value, bool) {
	if len(p) < 12 {
		return nil, false
	}
	list := []relational.Value{}
	if binary.BigEndian.Uint32(p) == 0 {
		return list, true
	}
	kind := relational.OfOID(binary.BigEndian.Uint32(p[8:]))
	if len(p) < 20 {
		return nil, false
	}
	for p = p[20:]; len(p) >= 4; {
		size := int32(binary.BigEndian.Uint32(p))
		p = p[4:]
		if size < 0 {
			list = append(list, nil)
			continue
		}
		if int64(size) > int64(len(p)) {
			return nil, false
		}
		v, ok := decodeValue(p[:size], kind, true)
		if !ok {
			return nil, false
		}
		list, p = append(list, v), p[size:]
	}
	return list, true
}
