package decoys

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// table is one table of a database. A row's number is its position in rows,
// from 1, and is the value of the column declared INTEGER PRIMARY KEY, whose
// value here is nil. The other values are int64, string, []byte or nil.
type table struct {
	name, create string
	rows         [][]any
	indexes      []index
}

// index orders the rows by columns. An index without a name is the automatic
// one for UNIQUE or PRIMARY KEY in the table's declaration.
type index struct {
	name, create string
	columns      []int
}

const (
	sqlitePage   = 4096
	sqliteHeader = 100 // at the start of the first page

	tableLeaf = 0x0d
	indexLeaf = 0x0a
)

// database writes an SQLite 3 file: the schema in the first page, each table
// and each index in one page of its own. Larger ones are an error.
func database(tables ...table) ([]byte, error) {
	schema := table{name: "the schema"}
	var rest []byte // the pages from the second one
	add := func(kind, name, of string, create any, leaf func(page []byte) error) error {
		page := make([]byte, sqlitePage)
		if err := leaf(page); err != nil {
			return err
		}
		rest = append(rest, page...)
		schema.rows = append(schema.rows, []any{kind, name, of, int64(1 + len(rest)/sqlitePage), create})
		return nil
	}
	for _, t := range tables {
		if err := add("table", t.name, t.name, t.create, func(page []byte) error { return t.leaf(page, 0) }); err != nil {
			return nil, err
		}
		for i, x := range t.indexes {
			name, create := x.name, any(x.create)
			if name == "" {
				name, create = fmt.Sprintf("sqlite_autoindex_%s_%d", t.name, i+1), nil
			}
			if err := add("index", name, t.name, create, func(page []byte) error { return t.indexLeaf(page, x.columns) }); err != nil {
				return nil, err
			}
		}
	}
	first := make([]byte, sqlitePage)
	writeHeader(first, 1+len(rest)/sqlitePage)
	if err := schema.leaf(first, sqliteHeader); err != nil {
		return nil, err
	}
	return slices.Concat(first, rest), nil
}

func writeHeader(page []byte, pages int) {
	copy(page, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(page[16:], sqlitePage)
	copy(page[18:], []byte{1, 1, 0, 64, 32, 32}) // rollback journal, nothing reserved, fixed fractions
	for at, value := range map[int]int{
		24: 1, 92: 1, // change counter, and the counter of the version at 96
		28: pages,
		40: 1,       // schema cookie
		44: 4,       // schema format
		56: 1,       // UTF-8
		96: 3045001, // version that wrote it
	} {
		binary.BigEndian.PutUint32(page[at:], uint32(value))
	}
}

// leaf fills a page with the rows.
func (t *table) leaf(page []byte, start int) error {
	cells := make([][]byte, len(t.rows))
	for i, row := range t.rows {
		payload := record(row)
		if len(payload) > sqlitePage-35 { // a longer one would overflow into other pages
			return fmt.Errorf("a row of table %s does not fit into one page", t.name)
		}
		cells[i] = append(varint(varint(nil, len(payload)), i+1), payload...)
	}
	return t.fill(page, start, tableLeaf, cells)
}

// indexLeaf fills a page with the indexed columns and the rows' numbers.
func (t *table) indexLeaf(page []byte, columns []int) error {
	keys := make([][]any, len(t.rows))
	for i, row := range t.rows {
		for _, c := range columns {
			keys[i] = append(keys[i], row[c])
		}
		keys[i] = append(keys[i], int64(i+1))
	}
	slices.SortFunc(keys, func(a, b []any) int { return slices.CompareFunc(a, b, compareValues) })
	cells := make([][]byte, len(keys))
	for i, key := range keys {
		payload := record(key)
		if len(payload) > (sqlitePage-12)*64/255-23 {
			return fmt.Errorf("a key of table %s does not fit into one page", t.name)
		}
		cells[i] = append(varint(nil, len(payload)), payload...)
	}
	return t.fill(page, 0, indexLeaf, cells)
}

// compareValues is SQLite's order: null, numbers, texts, bytes.
func compareValues(a, b any) int {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return cmp.Compare(a, b)
		}
	case string:
		if b, ok := b.(string); ok {
			return strings.Compare(a, b)
		}
	case []byte:
		if b, ok := b.([]byte); ok {
			return bytes.Compare(a, b)
		}
	}
	return cmp.Compare(rank(a), rank(b))
}

func rank(v any) int {
	switch v.(type) {
	case int64:
		return 1
	case string:
		return 2
	case []byte:
		return 3
	}
	return 0
}

// fill writes the pointers to the cells from the front and the cells from the
// back.
func (t *table) fill(page []byte, start int, kind byte, cells [][]byte) error {
	const headSize = 8
	front, back := start+headSize, len(page)
	for _, cell := range cells {
		back -= len(cell)
		if front+2 > back {
			return fmt.Errorf("table %s does not fit into one page", t.name)
		}
		copy(page[back:], cell)
		binary.BigEndian.PutUint16(page[front:], uint16(back))
		front += 2
	}
	page[start] = kind
	binary.BigEndian.PutUint16(page[start+3:], uint16(len(cells)))
	binary.BigEndian.PutUint16(page[start+5:], uint16(back))
	return nil
}

// record writes the types of a row's values, then the values.
func record(row []any) []byte {
	var types, values []byte
	for _, value := range row {
		switch v := value.(type) {
		case int64:
			types = varint(types, 6) // eight bytes
			values = binary.BigEndian.AppendUint64(values, uint64(v))
		case string:
			types = varint(types, 13+2*len(v))
			values = append(values, v...)
		case []byte:
			types = varint(types, 12+2*len(v))
			values = append(values, v...)
		default:
			types = varint(types, 0)
		}
	}
	// The length of the types includes itself, and fits in one byte.
	return append(append(varint(nil, len(types)+1), types...), values...)
}

// varint appends a number in groups of seven bits, the highest first.
func varint(to []byte, n int) []byte {
	var groups [9]byte
	at := len(groups) - 1
	groups[at] = byte(n & 0x7f)
	for n >>= 7; n > 0; n >>= 7 {
		at--
		groups[at] = byte(n&0x7f) | 0x80
	}
	return append(to, groups[at:]...)
}
