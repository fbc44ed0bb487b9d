package protocols

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/relational"
)

// The types of columns and parameters.
const (
	mysqlTiny      = 1
	mysqlShort     = 2
	mysqlInt       = 3
	mysqlFloat     = 4
	mysqlDouble    = 5
	mysqlNull      = 6
	mysqlTimestamp = 7
	mysqlLong      = 8
	mysqlDate      = 10
	mysqlTime      = 11
	mysqlDatetime  = 12
	mysqlYear      = 13
	mysqlJSON      = 245
	mysqlDecimal   = 246
	mysqlBlob      = 252
	mysqlString    = 253
)

// mysqlKind is a type with the length and character set of its columns.
func mysqlKind(t relational.Type) (kind byte, length uint32, charset uint16) {
	const isBinary = 63
	switch t.Kind {
	case relational.Bool:
		return mysqlTiny, 1, isBinary
	case relational.Int2:
		return mysqlShort, 6, isBinary
	case relational.Int4, relational.OID:
		return mysqlInt, 11, isBinary
	case relational.Int8:
		return mysqlLong, 20, isBinary
	case relational.Float8:
		return mysqlDouble, 22, isBinary
	case relational.Numeric:
		return mysqlDecimal, uint32(t.Size + 2), isBinary
	case relational.TimestampTZ:
		return mysqlTimestamp, 19, isBinary
	case relational.Timestamp:
		return mysqlDatetime, 19, isBinary
	case relational.Date:
		return mysqlDate, 10, isBinary
	case relational.JSON, relational.JSONB:
		return mysqlJSON, math.MaxUint32, mysqlCharset
	case relational.Text:
		return mysqlBlob, 65535 * 4, mysqlCharset
	case relational.Bytes:
		return mysqlBlob, 65535, isBinary
	}
	return mysqlString, uint32(max(t.Size, 255)) * 4, mysqlCharset
}

// binaryRow is a row of a prepared statement.
func binaryRow(row []relational.Value, columns []relational.Column) []byte {
	head := make([]byte, 1+(len(row)+9)/8) // which values are NULL
	var p []byte
	for i, v := range row {
		if v == nil {
			head[1+(i+2)/8] |= 1 << ((i + 2) % 8)
			continue
		}
		text := relational.MySQL.Format(v, columns[i].Type)
		kind, _, _ := mysqlKind(columns[i].Type)
		switch kind {
		case mysqlTiny:
			p = append(p, byte(wholeOf(v)))
		case mysqlShort:
			p = binary.LittleEndian.AppendUint16(p, uint16(wholeOf(v)))
		case mysqlInt:
			p = binary.LittleEndian.AppendUint32(p, uint32(wholeOf(v)))
		case mysqlLong:
			p = binary.LittleEndian.AppendUint64(p, uint64(wholeOf(v)))
		case mysqlDouble:
			f, _ := strconv.ParseFloat(text, 64)
			p = binary.LittleEndian.AppendUint64(p, math.Float64bits(f))
		case mysqlTimestamp, mysqlDatetime, mysqlDate:
			at, ok := v.(time.Time)
			if !ok {
				p = append(p, 0)
				continue
			}
			p = binary.LittleEndian.AppendUint16(append(p, 7), uint16(at.Year()))
			p = append(p, byte(at.Month()), byte(at.Day()), byte(at.Hour()), byte(at.Minute()), byte(at.Second()))
		default:
			p = lenenc(p, text)
		}
	}
	return slices.Concat(head, p)
}

// mysqlPrepared is a statement with what its client sent before it is executed.
type mysqlPrepared struct {
	st    *relational.Prepared
	kinds []byte // of the parameters; they are sent once
	long  map[uint16][]byte
}

// params reads the parameters; false if they end too early.
func (s *mysqlPrepared) params(p []byte) ([]relational.Value, bool) {
	n := len(s.st.Params)
	if n == 0 {
		return nil, true
	}
	nulls := p[:min((n+7)/8, len(p))]
	p = p[len(nulls):]
	if len(nulls) < (n+7)/8 || len(p) == 0 {
		return nil, false
	}
	isBound := p[0] == 1
	if p = p[1:]; isBound {
		if len(p) < 2*n {
			return nil, false
		}
		s.kinds, p = append([]byte(nil), p[:2*n]...), p[2*n:]
	}
	if len(s.kinds) < 2*n {
		return nil, false
	}
	var list []relational.Value
	for i := range n {
		if sent, found := s.long[uint16(i)]; found {
			list = append(list, strings.ToValidUTF8(string(sent), "?"))
			continue
		}
		if nulls[i/8]&(1<<(i%8)) != 0 {
			list = append(list, nil)
			continue
		}
		v, rest, ok := mysqlValue(p, s.kinds[2*i], s.kinds[2*i+1]&0x80 != 0)
		if !ok {
			return nil, false
		}
		list, p = append(list, v), rest
	}
	return list, true
}

// mysqlValue reads one parameter.
func mysqlValue(p []byte, kind byte, unsigned bool) (v relational.Value, rest []byte, ok bool) {
	width := map[byte]int{mysqlTiny: 1, mysqlShort: 2, mysqlYear: 2, mysqlInt: 4, 9: 4, mysqlFloat: 4, mysqlDouble: 8, mysqlLong: 8}[kind]
	if len(p) < width {
		return nil, nil, false
	}
	rest = p[width:]
	switch kind {
	case mysqlNull:
		return nil, p, true
	case mysqlTiny:
		if unsigned {
			return int64(p[0]), rest, true
		}
		return int64(int8(p[0])), rest, true
	case mysqlShort, mysqlYear:
		return int64(int16(binary.LittleEndian.Uint16(p))), rest, true
	case mysqlInt, 9:
		if unsigned {
			return int64(binary.LittleEndian.Uint32(p)), rest, true
		}
		return int64(int32(binary.LittleEndian.Uint32(p))), rest, true
	case mysqlLong:
		return int64(binary.LittleEndian.Uint64(p)), rest, true
	case mysqlFloat:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(p))), rest, true
	case mysqlDouble:
		return math.Float64frombits(binary.LittleEndian.Uint64(p)), rest, true
	case mysqlTimestamp, mysqlDatetime, mysqlDate:
		return mysqlMoment(p)
	case mysqlTime:
		if len(p) == 0 || len(p) <= int(p[0]) {
			return nil, nil, false
		}
		return "00:00:00", p[1+int(p[0]):], true
	}
	n, p, ok := lenencLength(p)
	if !ok || n > uint64(len(p)) {
		return nil, nil, false
	}
	return strings.ToValidUTF8(string(p[:n]), "?"), p[n:], true
}

func mysqlMoment(p []byte) (v relational.Value, rest []byte, ok bool) {
	if len(p) == 0 || len(p) <= int(p[0]) {
		return nil, nil, false
	}
	n := int(p[0])
	f := slices.Concat(p[1:1+n], make([]byte, 11))
	at := time.Date(int(binary.LittleEndian.Uint16(f)), time.Month(f[2]), int(f[3]), int(f[4]), int(f[5]), int(f[6]), int(binary.LittleEndian.Uint32(f[7:]))*1000, time.UTC)
	return at, p[1+n:], true
}

// lenencLength reads a number of variable length.
func lenencLength(p []byte) (n uint64, rest []byte, ok bool) {
	if len(p) == 0 {
		return 0, nil, false
	}
	width := map[byte]int{0xfc: 2, 0xfd: 3, 0xfe: 8}[p[0]]
	if width == 0 {
		return uint64(p[0]), p[1:], p[0] < 0xfb
	}
	if len(p) < 1+width {
		return 0, nil, false
	}
	for i := width; i > 0; i-- {
		n = n<<8 | uint64(p[i])
	}
	return n, p[1+width:], true
}
