package relational

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What a session remembers, and what one statement returns.
// no gap: the statement is evidence; only its answer is an error
const (
	maxVariables = 200
	maxResult    = 10_000 // rows
	maxSaves     = 32
)

// Session is one connection. It is not safe for concurrent use; sessions of one
// store are, with each other.
type Session struct {
	Database, User string

	store  *Store
	engine Engine
	now    time.Time
	vars   map[string]Value

	open, failed, readOnly bool
	tx                     *snapshot
	saves                  []save

	lastID, affected, found int64
	uuids                   int
	copying                 *statement
	copied                  string
}

type save struct {
	name string
	at   *snapshot
}

// Session begins a session. now is the time that the server's clock shows all along,
// so that a run can be repeated.
func (s *Store) Session(e Engine, now time.Time) *Session {
	if now.IsZero() {
		now = time.Date(2024, time.May, 20, 10, 0, 0, 0, time.UTC)
	}
	return &Session{store: s, engine: e, now: now.UTC().Truncate(time.Second), Database: "app", User: "app", vars: map[string]Value{}}
}

// Status is the state of the transaction: 'I' for none, 'T' for one, 'E' for a
// failed one.
func (s *Session) Status() byte {
	switch {
	case s.failed:
		return 'E'
	case s.open:
		return 'T'
	}
	return 'I'
}

// Prepared is one parsed statement.
type Prepared struct {
	Text string
	// Params are the types of the parameters, Columns those of the result; no
	// columns: the statement has no result.
	Params  []Type
	Columns []Column

	st    *statement
	empty error // the error that is answered with no rows, see [Session.Parse]
}

// Shrink leaves of a described statement what it takes to run it again, and returns
// about how many bytes that are.
func (p *Prepared) Shrink() int {
	p.st = nil
	return len(p.Text) + 32*len(p.Params) + 128*len(p.Columns) + 128
}

// Result is what a statement did.
type Result struct {
	Columns  []Column // nil: the statement has no result
	Rows     [][]Value
	Tag      string
	Affected int64
	LastID   int64
	// CopyIn says that the client is to send rows of so many columns.
	CopyIn int
}

// Parse reads all statements of a text.
func (s *Session) Parse(text string) ([]*Prepared, error) {
	list, texts, err := s.engine.parse(text)
	if err != nil {
		p, err := s.excused(text, err)
		if err != nil {
			return nil, err
		}
		return []*Prepared{p}, nil
	}
	out := make([]*Prepared, len(list))
	for i := range list {
		out[i] = &Prepared{Text: texts[i], st: list[i]}
	}
	return out, nil
}

// excused answers a query that a server would understand and this one does not: with
// no rows, if every table that it names is known. See the package comment.
func (s *Session) excused(text string, err error) (*Prepared, error) {
	var e *Error
	if !errors.As(err, &e) || e.State != "0A000" {
		return nil, err
	}
	tokens, lexed := s.engine.tokens(text)
	if lexed != nil || len(tokens) < 2 || !strings.EqualFold(tokens[0].s, "select") {
		return nil, err
	}
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	known := false
	for i := range tokens[:len(tokens)-1] {
		if t := tokens[i]; t.kind != word || !strings.EqualFold(t.s, "from") && !strings.EqualFold(t.s, "join") || tokens[i+1].kind == sign {
			continue
		}
		schema, name := "", tokens[i+1].s
		if i+3 < len(tokens) && tokens[i+2].s == "." {
			schema, name = name, tokens[i+3].s
		}
		if _, err := (query{s.run(nil, true)}).table(schema, strings.ToLower(name)); err != nil {
			return nil, err
		}
		known = true
	}
	if !known {
		return nil, err
	}
	return &Prepared{Text: text, st: &statement{verb: "SELECT"}, empty: err, Columns: []Column{{Name: "?column?", Type: Type{Kind: Text}}}}, nil
}

// Describe finds the types of parameters and of the result. declared are types that
// the client gave.
func (s *Session) Describe(p *Prepared, declared []Kind) error {
	if p.st == nil || p.empty != nil {
		return nil
	}
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	r := s.run(nil, true)
	for _, k := range declared {
		r.types = append(r.types, Type{Kind: k})
	}
	res, err := r.perform(p.st)
	s.store.work += r.steps + 100
	if err != nil {
		return err
	}
	p.Params, p.Columns = r.types, res.Columns
	return nil
}

// Run executes a statement.
func (s *Session) Run(p *Prepared, params []Value) (*Result, error) {
	if p.empty != nil {
		return &Result{Columns: p.Columns, Tag: "SELECT 0"}, nil
	}
	if p.st == nil { // it was shrunk
		list, _, err := s.engine.parse(p.Text)
		if err != nil || len(list) != 1 {
			return nil, s.failing(s.engine.syntax(p.Text, 0))
		}
		p = &Prepared{Text: p.Text, Params: p.Params, Columns: p.Columns, st: list[0]}
	}
	if s.failed && !slices.Contains([]string{"ROLLBACK", "COMMIT", "ABORT", "END"}, p.st.verb) {
		return nil, &Error{State: "25P02", Message: "current transaction is aborted, commands ignored until end of transaction block"}
	}
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	for i := range params { // a parameter without a type is read as what it is beside
		if i < len(p.Params) && p.Params[i].Kind != Unknown {
			v, err := s.run(nil, false).cast(params[i], Type{Kind: p.Params[i].Kind}, "")
			if err != nil {
				return nil, s.failing(err)
			}
			params[i] = v
		}
	}
	before := s.guard(p.st)
	r := s.run(params, false)
	res, err := r.perform(p.st)
	s.store.work += r.steps + 100
	if err == nil {
		err = r.bounded(res)
	}
	if err != nil {
		if before != nil {
			s.store.restore(before)
		}
		return nil, s.failing(err)
	}
	if p.st.verb != "SHOW" && p.st.verb != "SELECT" {
		s.affected = res.Affected
	}
	return res, nil
}

// guard remembers the state before a statement that may fail halfway.
func (s *Session) guard(st *statement) *snapshot {
	if st.verb == "SELECT" && (st.query == nil || len(st.query.with) == 0) || st.verb == "SHOW" {
		return nil
	}
	switch st.verb {
	case "ROLLBACK", "COMMIT", "ABORT", "END", "BEGIN", "START", "SET", "SAVEPOINT", "RELEASE":
		return nil
	}
	return s.store.snapshot()
}

// failing marks the transaction as failed, which in PostgreSQL every error does.
func (s *Session) failing(err error) error {
	if s.open && s.engine == Postgres {
		s.failed = true
	}
	return err
}

// Failed marks the transaction as failed for an error outside of [Session.Run].
func (s *Session) Failed() { _ = s.failing(nil) }

// bounded limits what is returned.
func (r *run) bounded(res *Result) error {
	if len(res.Rows) > maxResult {
		return r.engine.tooMuch()
	}
	n := 0
	for _, row := range res.Rows {
		if n += size(row); n > maxWork {
			return r.engine.tooMuch()
		}
	}
	return nil
}

// perform executes a statement, or finds out its types in a dry run.
func (r *run) perform(st *statement) (*Result, error) {
	switch st.verb {
	case "SELECT":
		rel, err := r.selection(st.query, nil)
		if err != nil {
			return nil, err
		}
		if rel.cols == nil {
			rel.cols = []Column{}
		}
		return &Result{Columns: rel.cols, Rows: rel.rows, Tag: "SELECT " + strconv.Itoa(len(rel.rows))}, nil
	case "SHOW":
		return (catalog{r}).shown(st)
	case "EXPLAIN":
		return (catalog{r}).explained(st)
	case "INSERT", "UPDATE", "DELETE":
		return (changing{r}).change(st)
	case "COPY":
		return (changing{r}).copy(st)
	}
	if r.dry {
		return &Result{}, nil
	}
	switch st.verb {
	case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE":
		return r.transact(st)
	case "SET", "USE":
		return r.assign(st)
	}
	return (changing{r}).definition(st)
}
