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
