package relational

import (
	"strings"
	"time"
)

// What one statement may use.
// no gap: the statement is evidence; only its answer is an error
const (
	maxSteps  = 250_000 // evaluated nodes and visited rows
	maxCells  = 200_000 // of all rows that it makes
	maxWork   = 2 << 20 // bytes of all texts that it makes
	maxLevels = 24      // queries within queries
	// maxTotal is how many steps all statements of a run have together, and maxTired
	// how many each has once they are used up.
	maxTotal = 40_000_000
	maxTired = 5_000
)

// Column is a column of a result.
type Column struct {
	Name  string
	Type  Type
	Table string // the alias of the table it comes from
	// Of is that table, 0 if it comes from none, and Number its place there.
	Of     int64
	Number int
	// hidden columns are found by their name but are not part of a star.
	hidden bool
}

// relation is a result.
type relation struct {
	cols []Column
	rows [][]Value
}

// scope is where the columns of an expression are found.
type scope struct {
	cols  []Column
	row   []Value
	group [][]Value // the rows of the group, if grouped is set
	outer *scope

	grouped bool
	where   string // the clause, for errors
}

// place is where a column was found: so many scopes outside, at an index.
type place struct{ up, at int }

// run is the execution of one statement.
type run struct {
	*Session

	params []Value
	types  []Type // of the parameters, as far as they are known
	// dry runs find out the types of a result; tables have no rows then.
	dry    bool
	most   int // steps
	steps  int
	cells  int
	bytes  int
	level  int
	named  []namedResult // of WITH, the innermost last
	places map[*expr]place
}

type namedResult struct {
	name string
	rel  *relation
}

// The parts of a run: computing queries, finding types, changing tables, and what
// the server says about itself.
type (
	query    struct{ *run }
	typing   struct{ *run }
	changing struct{ *run }
	catalog  struct{ *run }
)

func (r *run) selection(q *selection, outer *scope) (*relation, error) {
	return (query{r}).selection(q, outer)
}

func (r *run) infer(x *expr, sc *scope) (Type, error) { return (typing{r}).infer(x, sc) }

func (r *run) expects(x *expr, t Type) { (typing{r}).expects(x, t) }

func (s *Session) run(params []Value, dry bool) *run {
	r := &run{Session: s, params: params, dry: dry, most: maxSteps, places: map[*expr]place{}}
	if s.store.work > maxTotal {
		r.most = maxTired
	}
	return r
}

// step counts work.
func (r *run) step(n int) error {
	if r.steps += n; r.steps > r.most {
		return r.engine.tooMuch()
	}
	return nil
}

// keep counts what a result takes.
func (r *run) keep(cells int) error {
	if r.cells += cells + 1; r.cells > maxCells {
		return r.engine.tooMuch()
	}
	return r.step(1 + cells/2)
}

// made counts the bytes of a text.
func (r *run) made(s string) (Value, error) {
	if len(s) > maxValue {
		return nil, r.engine.problem("54000", 1301, "requested length too large", "Result of function was larger than max_allowed_packet")
	}
	if r.bytes += len(s); r.bytes > maxWork {
		return nil, r.engine.tooMuch()
	}
	return s, nil
}

// lookup finds a column, in the scopes outside if need be.
func (r *run) lookup(x *expr, sc *scope) (place, Type, error) {
	for up, s := 0, sc; s != nil; up, s = up+1, s.outer {
		at := -1
		for i := range s.cols {
			c := &s.cols[i]
			if !strings.EqualFold(c.Name, x.name) || x.table != "" && !strings.EqualFold(c.Table, x.table) {
				continue
			}
			if at >= 0 && !c.hidden && !s.cols[at].hidden {
				return place{}, Type{}, r.engine.ambiguous(x.name)
			}
			if at < 0 || s.cols[at].hidden {
				at = i
			}
		}
		if at >= 0 {
			p := place{up, at}
			r.places[x] = p
			return p, s.cols[at].Type, nil
		}
		if x.table == "" && r.engine == Postgres { // a whole row: row_to_json(t)
			for i := range s.cols {
				if s.cols[i].Table == x.name {
					r.places[x] = place{up, -1}
					return place{up, -1}, Type{Kind: JSON}, nil
				}
			}
		}
	}
	where := "field list"
	if sc != nil && sc.where != "" {
		where = sc.where
	}
	if x.table != "" && r.engine == Postgres && !hasTable(r, x.table, sc) {
		return place{}, Type{}, &Error{State: "42P01", Message: `missing FROM-clause entry for table "` + clip(x.table) + `"`}
	}
	return place{}, Type{}, r.engine.noColumn(x.table, x.name, where)
}

func hasTable(r *run, name string, sc *scope) bool {
	for ; sc != nil; sc = sc.outer {
		for i := range sc.cols {
			if strings.EqualFold(sc.cols[i].Table, name) {
				return true
			}
		}
	}
	return false
}

func (r *run) column(x *expr, sc *scope) (Value, error) {
	p, found := r.places[x]
	if !found {
		var err error
		if p, _, err = r.lookup(x, sc); err != nil {
			return nil, err
		}
	}
	for range p.up {
		if sc = sc.outer; sc == nil {
			return nil, r.engine.noColumn(x.table, x.name, "field list")
		}
	}
	if p.at < 0 {
		return wholeRow(r, x.name, sc)
	}
	if p.at >= len(sc.row) {
		return nil, nil // an empty group
	}
	return sc.row[p.at], nil
}

func wholeRow(r *run, table string, sc *scope) (Value, error) {
	var names []string
	var values []Value
	for i := range sc.cols {
		if sc.cols[i].Table == table && i < len(sc.row) {
			names, values = append(names, sc.cols[i].Name), append(values, sc.row[i])
		}
	}
	s, err := r.made(jsonObject(names, values))
	if err != nil {
		return nil, err
	}
	return document(s.(string)), nil
}

// jsonObject writes an object whose members keep their order.
func jsonObject(names []string, values []Value) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(jsonText(name) + ":" + jsonText(values[i]))
	}
	b.WriteByte('}')
	return b.String()
}

// eval computes an expression.
func (r *run) eval(x *expr, sc *scope) (Value, error) {
	if err := r.step(1); err != nil {
		return nil, err
	}
	switch x.op {
	case opLiteral:
		return x.value, nil
	case opColumn:
		return r.column(x, sc)
	case opParameter:
		if x.number <= len(r.params) {
			return r.params[x.number-1], nil
		}
		if r.dry {
			return nil, nil
		}
		return nil, r.engine.problem("42P02", 1210, "there is no parameter $%d", "Incorrect arguments to EXECUTE", x.number)
	case opVariable:
		return variableOf(r, x.name), nil
	case opUnary:
		return r.unary(x, sc)
	case opBinary:
		return r.binary(x, sc)
	case opIn, opAny:
		return r.among(x, sc)
	case opBetween:
		return r.between(x, sc)
	case opLike:
		return r.like(x, sc)
	case opIs:
		return r.is(x, sc)
	case opCase:
		return r.caseOf(x, sc)
	case opCall:
		return r.call(x, sc)
	case opCast:
		v, err := r.eval(x.args[0], sc)
		if err != nil {
			return nil, err
		}
		return r.cast(v, x.typ, x.name)
	case opQuery, opExists:
		return r.subquery(x, sc)
	case opArray, opRow:
		return r.array(x, sc)
	case opIndex:
		return indexed(r, x, sc)
	}
	return nil, r.engine.unsupported("DEFAULT")
}

func (r *run) evalAll(list []*expr, sc *scope) ([]Value, error) {
	out := make([]Value, len(list))
	for i, x := range list {
		v, err := r.eval(x, sc)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// holds evaluates a condition; NULL does not hold.
func (r *run) holds(x *expr, sc *scope) (bool, error) {
	v, err := r.eval(x, sc)
	if err != nil || v == nil {
		return false, err
	}
	return r.truth(v, sc)
}

// truth is a value as a condition.
func (r *run) truth(v Value, sc *scope) (bool, error) {
	switch v := v.(type) {
	case bool:
		return v, nil
	case nil:
		return false, nil
	}
	if r.engine == Postgres {
		if s, ok := v.(string); ok {
			b, err := r.cast(s, Type{Kind: Bool}, "")
			if err != nil {
				return false, err
			}
			return b == true, nil
		}
		clause := "WHERE"
		if sc != nil && sc.where == "on clause" {
			clause = "JOIN/ON"
		}
		return false, &Error{State: "42804", Message: "argument of " + clause + " must be type boolean, not type " + typeOf(v).Name()}
	}
	f, _ := prefixNumber(v)
	return f != 0, nil
}

// typeOf is the type of a value by itself.
func typeOf(v Value) Type {
	switch v := v.(type) {
	case bool:
		return Type{Kind: Bool}
	case int64:
		if v > 1<<31-1 || v < -1<<31 {
			return Type{Kind: Int8}
		}
		return Type{Kind: Int4}
	case float64:
		return Type{Kind: Numeric}
	case string:
		return Type{Kind: Text}
	case document:
		return Type{Kind: JSON}
	case time.Time:
		return Type{Kind: TimestampTZ}
	case []Value:
		return Type{Kind: TextArray}
	}
	return Type{}
}

// variableOf is a variable of MySQL's: @@a, @@session.a or @a.
func variableOf(r *run, name string) Value {
	system := strings.HasPrefix(name, "@@")
	name = strings.ToLower(name[strings.LastIndexAny(name, "@.")+1:])
	if !system {
		if v, found := r.vars["@"+name]; found {
			return v
		}
		return nil
	}
	v, _ := r.setting(name)
	return v
}

func (r *run) subquery(x *expr, sc *scope) (Value, error) {
	rel, err := r.selection(x.query, sc)
	if err != nil {
		return nil, err
	}
	if x.op == opExists {
		return (len(rel.rows) > 0) != x.not, nil
	}
	if len(rel.cols) != 1 {
		return nil, r.engine.problem("42601", 1241, "subquery must return only one column", "Operand should contain 1 column(s)")
	}
	switch len(rel.rows) {
	case 0:
		return nil, nil
	case 1:
		return rel.rows[0][0], nil
	}
	return nil, r.engine.problem("21000", 1242, "more than one row returned by a subquery used as an expression", "Subquery returns more than 1 row")
}

func (r *run) array(x *expr, sc *scope) (Value, error) {
	if x.query == nil {
		return r.evalAll(x.args, sc)
	}
	rel, err := r.selection(x.query, sc)
	if err != nil {
		return nil, err
	}
	list := []Value{}
	for _, row := range rel.rows {
		if len(row) > 0 {
			list = append(list, row[0])
		}
	}
	return list, nil
}

func indexed(r *run, x *expr, sc *scope) (Value, error) {
	list, err := r.evalAll(x.args, sc)
	if err != nil {
		return nil, err
	}
	from, _ := list[0].([]Value)
	n, _ := list[1].(int64)
	if n < 1 || n > int64(len(from)) {
		return nil, nil
	}
	return from[n-1], nil
}

func (r *run) caseOf(x *expr, sc *scope) (Value, error) {
	args := x.args
	var subject Value
	if x.all {
		var err error
		if subject, err = r.eval(args[0], sc); err != nil {
			return nil, err
		}
		args = args[1:]
	}
	for len(args) >= 2 {
		v, err := r.eval(args[0], sc)
		if err != nil {
			return nil, err
		}
		if x.all {
			v, err = r.compareBy("=", subject, v)
		}
		if err != nil {
			return nil, err
		}
		if ok, err := r.truth(v, sc); err != nil || ok {
			if err != nil {
				return nil, err
			}
			return r.eval(args[1], sc)
		}
		args = args[2:]
	}
	if len(args) == 1 {
		return r.eval(args[0], sc)
	}
	return nil, nil
}

// described finds the columns of a query within a query.
func (r *run) described(q *selection, sc *scope) (*relation, error) {
	was := r.dry
	r.dry = true
	defer func() { r.dry = was }()
	return r.selection(q, sc)
}
