package script

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// sourceMap maps positions in transformed code to lines of the original.
type sourceMap struct{ lines [][]segment }

type segment struct{ column, line int }

func readMap(raw []byte) (*sourceMap, error) {
	var doc struct {
		Mappings string `json:"mappings"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, fmt.Errorf("reading the source map: %w", err)
	}
	m := &sourceMap{}
	line := 0
	for group := range strings.SplitSeq(doc.Mappings, ";") {
		var segments []segment
		column := 0
		for s := range strings.SplitSeq(group, ",") {
			v := decodeVLQ(s)
			if len(v) == 0 {
				continue
			}
			column += v[0]
			if len(v) >= 4 {
				line += v[2]
				segments = append(segments, segment{column, line})
			}
		}
		m.lines = append(m.lines, segments)
	}
	return m, nil
}

// decodeVLQ reads the numbers of one segment.
func decodeVLQ(s string) []int {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	var out []int
	value, shift := 0, 0
	for i := range len(s) {
		d := strings.IndexByte(digits, s[i])
		if d < 0 || shift > 40 {
			return nil
		}
		value |= (d & 31) << shift
		shift += 5
		if d&32 != 0 {
			continue
		}
		if value&1 != 0 {
			value = -value
		}
		out = append(out, value/2)
		value, shift = 0, 0
	}
	return out
}

// original returns the original line, counted from 1, of a position.
func (m *sourceMap) original(line, column int) int {
	if m == nil {
		return line
	}
	if line > len(m.lines) {
		column = 1 << 30
	}
	for l := min(line-1, len(m.lines)-1); l >= 0; l-- {
		s := m.lines[l]
		i := sort.Search(len(s), func(i int) bool { return s[i].column > column }) - 1
		if i >= 0 {
			return s[i].line + 1
		}
		column = 1 << 30
	}
	return 1
}
