package relational

import (
	"slices"
	"strings"
	"sync"
)

// What a store holds at most.
// no gap: what a client sends is evidence whether it is stored or not
const (
	maxTables  = 200
	maxColumns = 200
	maxRows    = 5000    // of all tables
	maxBytes   = 4 << 20 // of all values
	maxValue   = 256 << 10
	maxSchemas = 32
	maxHeld    = 16 // states that transactions may return to
)

// ColumnDef is a column of a table.
type ColumnDef struct {
	Name        string
	Type        Type
	NotNull     bool
	Auto        bool // counts up
	Default     *expr
	DefaultText string
	Comment     string
}

// Constraint is a key of a table.
type Constraint struct {
	Name, Kind string
	Columns    []string
	Table      string // that a foreign key refers to
	Other      []string
}

// Index is an index, of which only the name and the columns are known.
type Index struct {
	Name    string
	Columns []string
	Unique  bool
}

// Table is a table. Rows are never changed, only replaced, so that what a
// transaction remembers stays as it was.
type Table struct {
	Schema, Name string
	OID          int64
	View         bool
	Columns      []ColumnDef
	Constraints  []Constraint
	Indexes      []Index
	Rows         [][]Value
	Next         int64 // of the column that counts up
}

// Store is what all sessions of a run share. It is safe for concurrent use.
type Store struct {
	mu         sync.Mutex
	tables     []*Table
	schemas    []string
	extensions []string
	rows       int
	bytes      int
	last       int64 // the OID given last
	work       int   // steps of all statements
	held       int   // states that transactions may return to
	functions  map[string]function
}

// main is the schema that both servers share: public there, the database here.
const mainSchema = "public"

// New makes a store with the tables of a small shop.
func New() *Store {
	s := &Store{schemas: []string{mainSchema}, extensions: []string{"plpgsql"}, last: 16384, functions: functions()}
	seed(s)
	return s
}

func (s *Store) find(schema, name string) *Table {
	for _, t := range s.tables {
		if t.Schema == schema && t.Name == name {
			return t
		}
	}
	return nil
}

func (s *Store) next() int64 {
	s.last++
	return s.last
}

// size is how many bytes a row takes.
func size(row []Value) int {
	n := 24
	for _, v := range row {
		n += 16
		switch v := v.(type) {
		case string:
			n += len(v)
		case []Value:
			n += size(v)
		}
	}
	return n
}

// put adds a row if there is room.
func (s *Store) put(t *Table, row []Value) bool {
	n := size(row)
	if s.rows >= maxRows || s.bytes+n > maxBytes {
		return false
	}
	s.rows++
	s.bytes += n
	t.Rows = append(t.Rows, row)
	return true
}

// replace exchanges the rows of a table.
func (s *Store) replace(t *Table, rows [][]Value) {
	s.count(t.Rows, -1)
	t.Rows = rows
	s.count(rows, 1)
}

func (s *Store) count(rows [][]Value, times int) {
	s.rows += times * len(rows)
	for _, r := range rows {
		s.bytes += times * size(r)
	}
}

func (s *Store) drop(t *Table) {
	s.count(t.Rows, -1)
	for i := range s.tables {
		if s.tables[i] == t {
			s.tables = append(s.tables[:i:i], s.tables[i+1:]...)
			return
		}
	}
}

// snapshot is a state to return to.
type snapshot struct {
	tables      []Table
	identity    []*Table
	schemas     []string
	rows, bytes int
}

func (s *Store) snapshot() *snapshot {
	p := &snapshot{schemas: s.schemas, rows: s.rows, bytes: s.bytes, identity: append([]*Table(nil), s.tables...)}
	for _, t := range s.tables {
		c := *t
		c.Rows = slices.Clip(t.Rows)
		c.Columns = slices.Clip(t.Columns)
		p.tables = append(p.tables, c)
	}
	return p
}

// hold is a snapshot for a transaction; nil if there are too many of them: each may
// keep rows alive that the store does not count any more. Such a transaction is not
// undone.
func (s *Store) hold() *snapshot {
	if s.held >= maxHeld {
		return nil
	}
	s.held++
	return s.snapshot()
}

func (s *Store) release(p *snapshot) {
	if p != nil {
		s.held--
	}
}

// restore undoes what happened since a snapshot, other sessions' changes as well:
// there is one state for all.
func (s *Store) restore(p *snapshot) {
	if p == nil {
		return
	}
	s.tables = append([]*Table(nil), p.identity...)
	for i, t := range s.tables {
		next := t.Next // numbers that were given are not given again
		*t = p.tables[i]
		t.Next = max(next, t.Next)
	}
	s.schemas, s.rows, s.bytes = p.schemas, p.rows, p.bytes
}

func (t *Table) column(name string) int {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, name) {
			return i
		}
	}
	return -1
}

// keys are the lists of columns that must not repeat, with the names of their
// constraints.
func (t *Table) keys() []Constraint {
	var list []Constraint
	for _, c := range t.Constraints {
		if c.Kind == "PRIMARY KEY" || c.Kind == "UNIQUE" {
			list = append(list, c)
		}
	}
	for _, x := range t.Indexes {
		if x.Unique && len(x.Columns) > 0 {
			list = append(list, Constraint{Name: x.Name, Kind: "UNIQUE", Columns: x.Columns})
		}
	}
	return list
}

func (t *Table) primary() []string {
	for _, c := range t.Constraints {
		if c.Kind == "PRIMARY KEY" {
			return c.Columns
		}
	}
	return nil
}

// named gives every constraint a name, as the server does.
func (t *Table) named() {
	for i := range t.Constraints {
		c := &t.Constraints[i]
		if c.Name != "" {
			continue
		}
		switch c.Kind {
		case "PRIMARY KEY":
			c.Name = t.Name + "_pkey"
		case "UNIQUE":
			c.Name = t.Name + "_" + strings.Join(c.Columns, "_") + "_key"
		case "FOREIGN KEY":
			c.Name = t.Name + "_" + strings.Join(c.Columns, "_") + "_fkey"
		case "CHECK":
			c.Name = t.Name + "_check"
		default:
			c.Name = t.Name + "_" + strings.Join(c.Columns, "_") + "_idx"
		}
	}
}
