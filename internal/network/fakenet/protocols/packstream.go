package protocols

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

// PackStream is the notation of values in Bolt.

// packed is a structure: a tag and its fields.
type packed struct {
	tag    byte
	fields []any
}

// member is a member of a map, whose order is that of the list.
type member struct {
	name  string
	value any
}

// pack appends a value: nil, a bool, a number, a text, a list, a map or a structure.
func pack(p []byte, value any) []byte {
	switch v := value.(type) {
	case bool:
		if v {
			return append(p, 0xc3)
		}
		return append(p, 0xc2)
	case int:
		if v >= -16 && v <= math.MaxInt8 {
			return append(p, byte(v))
		}
		return binary.BigEndian.AppendUint64(append(p, 0xcb), uint64(v))
	case float64:
		return binary.BigEndian.AppendUint64(append(p, 0xc1), math.Float64bits(v))
	case string:
		v = v[:min(len(v), math.MaxUint16)]
		return append(packSize(p, 0x80, 0xd1, len(v)), v...)
	case []any:
		p = packSize(p, 0x90, 0xd5, len(v))
		for _, e := range v {
			p = pack(p, e)
		}
		return p
	case []member:
		p = packSize(p, 0xa0, 0xd9, len(v))
		for _, m := range v {
			p = pack(pack(p, m.name), m.value)
		}
		return p
	case packed:
		p = append(p, 0xb0|byte(len(v.fields)), v.tag)
		for _, f := range v.fields {
			p = pack(p, f)
		}
		return p
	}
	return append(p, 0xc0)
}

// packSize appends the marker of a text, list or map of a size.
func packSize(p []byte, tiny, wide byte, n int) []byte {
	if n < 16 {
		return append(p, tiny|byte(n))
	}
	return binary.BigEndian.AppendUint16(append(p, wide), uint16(n))
}

// unpacker reads values. What cannot be read ends it.
type unpacker struct {
	p      []byte
	broken bool
}

// take returns the next bytes.
func (u *unpacker) take(n int) []byte {
	if n < 0 || n > len(u.p) {
		u.broken, u.p = true, nil
		return make([]byte, min(max(n, 0), 8))
	}
	var head []byte
	head, u.p = u.p[:n], u.p[n:]
	return head
}

// value reads a value. Maps are shown as texts, with their members in order.
func (u *unpacker) value(depth int) any {
	marker := u.take(1)[0]
	if u.broken || depth > nestedMax {
		u.broken = true
		return nil
	}
	switch kind, small := marker&0xf0, int(marker&0x0f); {
	case marker <= 0x7f:
		return int(marker)
	case marker >= 0xf0:
		return int(int8(marker))
	case kind == 0x80:
		return string(u.take(small))
	case kind == 0x90:
		return u.list(small, depth)
	case kind == 0xa0:
		return u.members(small, depth)
	case kind == 0xb0:
		out := packed{tag: u.take(1)[0]}
		out.fields = u.list(small, depth)
		return out
	}
	return u.wide(marker, depth)
}

// wide reads a value whose size or number follows the marker.
func (u *unpacker) wide(marker byte, depth int) any {
	switch marker {
	case 0xc0:
		return nil
	case 0xc1:
		return math.Float64frombits(binary.BigEndian.Uint64(u.take(8)))
	case 0xc2, 0xc3:
		return marker == 0xc3
	case 0xc8, 0xc9, 0xca, 0xcb:
		return u.number(1 << (marker - 0xc8))
	case 0xcc, 0xcd, 0xce, 0xd0, 0xd1, 0xd2:
		return string(u.take(u.number(1 << (marker & 3))))
	case 0xd4, 0xd5, 0xd6:
		return u.list(u.number(1<<(marker&3)), depth)
	case 0xd8, 0xd9, 0xda:
		return u.members(u.number(1<<(marker&3)), depth)
	}
	u.broken = true
	return nil
}

// number reads a whole number of some bytes.
func (u *unpacker) number(bytes int) int {
	n := 0
	for _, b := range u.take(bytes)[:bytes] {
		n = n<<8 | int(b)
	}
	return n
}

func (u *unpacker) list(n, depth int) []any {
	var out []any
	for i := 0; i < n && !u.broken; i++ {
		if value := u.value(depth + 1); len(out) < argsMax {
			out = append(out, value)
		}
	}
	return out
}

func (u *unpacker) members(n, depth int) []member {
	var out []member
	for i := 0; i < n && !u.broken; i++ {
		name, _ := u.value(depth + 1).(string)
		if value := u.value(depth + 1); len(out) < argsMax {
			out = append(out, member{name, value})
		}
	}
	return out
}

// shown writes a value as a user would, for reports.
func shown(value any) string {
	switch v := value.(type) {
	case string:
		return quoted(v)
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, shown(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []member:
		sorted := slices.Clone(v)
		slices.SortFunc(sorted, func(a, b member) int { return strings.Compare(a.name, b.name) })
		var parts []string
		for _, m := range sorted {
			parts = append(parts, m.name+": "+shown(m.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case nil:
		return "null"
	case packed:
		return shown(v.fields)
	}
	return fmt.Sprint(value)
}
