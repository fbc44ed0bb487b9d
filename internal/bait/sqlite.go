package bait

import (
	"encoding/binary"
	"fmt"
)

// table is one table of a database. A row's number is its place in rows,
// from 1, and stands for the column declared INTEGER PRIMARY KEY, whose value
// is nil. The other values are int64, string or nil.
type table struct {
	name, create string
	rows         [][]any
}

const (
	sqlitePage   = 4096
	sqliteHeader = 100 // at the start of the first page
)

// database writes an SQLite 3 file: the schema in the first page, each table
// in one of its own. A table that needs more than that is an error.
func database(tables ...table) ([]byte, error) {
	schema := table{name: "the schema"}
	for i, t := range tables {
		schema.rows = append(schema.rows, []any{"table", t.name, t.name, int64(i + 2), t.create})
	}
	file := make([]byte, 0, sqlitePage*(1+len(tables)))
	for i, t := range append([]table{schema}, tables...) {
		page := make([]byte, sqlitePage)
		start := 0
		if i == 0 {
			start = sqliteHeader
			writeHeader(page, 1+len(tables))
		}
		if err := t.leaf(page, start); err != nil {
			return nil, err
		}
		file = append(file, page...)
	}
	return file, nil
}

func writeHeader(page []byte, pages int) {
	copy(page, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(page[16:], sqlitePage)
	copy(page[18:], []byte{1, 1, 0, 64, 32, 32}) // rollback journal, nothing reserved, fixed fractions
	for at, value := range map[int]int{
		24: 1, 92: 1, // change counter, and the one that the version at 96 belongs to
		28: pages,
		40: 1,       // schema cookie
		44: 4,       // schema format
		56: 1,       // UTF-8
		96: 3045001, // version that wrote it
	} {
		binary.BigEndian.PutUint32(page[at:], uint32(value))
	}
}

// leaf fills a page with the rows: pointers from the front, cells from the
// back.
func (t *table) leaf(page []byte, start int) error {
	const headSize = 8
	front, back := start+headSize, len(page)
	for i, row := range t.rows {
		payload := record(row)
		cell := varint(varint(nil, len(payload)), i+1)
		cell = append(cell, payload...)
		back -= len(cell)
		if front+2 > back || len(payload) > sqlitePage-35 { // a longer one would overflow into other pages
			return fmt.Errorf("table %s does not fit into one page", t.name)
		}
		copy(page[back:], cell)
		binary.BigEndian.PutUint16(page[front:], uint16(back))
		front += 2
	}
	page[start] = 0x0d // leaf of a table
	binary.BigEndian.PutUint16(page[start+3:], uint16(len(t.rows)))
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
		default:
			types = varint(types, 0)
		}
	}
	// The length of the types counts itself, and is short enough for one byte.
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
