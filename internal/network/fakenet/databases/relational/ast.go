package relational

// op says what an expression is.
type op uint8

const (
	opLiteral op = iota
	opColumn
	opParameter
	opVariable
	opUnary
	opBinary
	opIn
	opBetween
	opLike
	opIs
	opCase
	opCall
	opCast
	opQuery
	opExists
	opAny
	opArray
	opRow
	opIndex
	opDefault
)

// expr is a node of an expression.
type expr struct {
	op          op
	name, table string // of a column, function or operator
	value       Value
	typ         Type
	args        []*expr
	query       *selection
	not         bool // NOT IN, IS NOT NULL, ...
	all         bool // count(*), op ALL
	distinct    bool
	order       []ordered // within an aggregate
	filter      *expr     // of an aggregate
	number      int       // of a parameter, from one
	depth       int
	text        string // the source
}

// each visits a node and all below it that belong to the same query.
func (x *expr) each(visit func(*expr) bool) {
	if x == nil || !visit(x) {
		return
	}
	for _, a := range x.args {
		a.each(visit)
	}
	for _, o := range x.order {
		o.by.each(visit)
	}
	x.filter.each(visit)
}

type ordered struct {
	by         *expr
	desc       bool
	nullsFirst bool
	nullsSaid  bool
}

// item is a column of a result: an expression, or a star.
type item struct {
	x     *expr
	alias string
	star  bool
	table string // t.*
	text  string
}

// source is an entry of FROM: a table, a query, a function, or a join of two.
type source struct {
	schema, name, alias string
	columns             []string // the names of an alias: AS t(a, b)
	query               *selection
	call                *expr

	join        string // "inner", "left", "right", "full", "cross"; "" if this is no join
	left, right *source
	on          *expr
	using       []string
	natural     bool
}

// arm is one SELECT or VALUES of a query.
type arm struct {
	joined   string // "union", "intersect" or "except": how it is joined to what precedes it
	all      bool
	distinct bool
	on       []*expr // DISTINCT ON
	items    []item
	from     *source
	where    *expr
	group    []*expr
	having   *expr
	values   [][]*expr
	nested   *selection // in parentheses
}

// with is a named query.
type with struct {
	name      string
	columns   []string
	query     *selection
	statement *statement // INSERT ... RETURNING
	recursive bool
}

// selection is a whole query.
type selection struct {
	with          []with
	arms          []arm
	order         []ordered
	limit, offset *expr
}

// statement is one parsed statement.
type statement struct {
	verb  string // SELECT, INSERT, CREATE TABLE, ...
	query *selection

	schema, table, alias string
	columns              []string
	rows                 [][]*expr
	set                  []assignment
	from                 *source
	where                *expr
	order                []ordered
	limit                *expr
	conflict             string // "nothing", "update" or "replace"
	on                   []string
	returning            []item

	define *definition
	// words are what SHOW, SET and the like name.
	words []string
	like  *expr
	exist bool // IF [NOT] EXISTS
}

type assignment struct {
	column string
	x      *expr
}

// definition is what CREATE and ALTER define.
type definition struct {
	columns     []ColumnDef
	constraints []Constraint
	query       *selection
	names       [][2]string // schema and name of what is dropped
	actions     []action
	index       Index
	temporary   bool
}

// action is one change of ALTER TABLE.
type action struct {
	kind   string // add, drop, rename, rename column, type, null, default, not null, constraint
	column string
	to     string
	def    ColumnDef
	rule   Constraint
}
