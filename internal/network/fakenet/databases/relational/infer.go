package relational

import (
	"slices"
)

// infer finds the type of an expression, and the errors that a server finds before
// it looks at any row: columns and functions that do not exist.
func (r typing) infer(x *expr, sc *scope) (Type, error) {
	if err := r.step(1); err != nil {
		return Type{}, err
	}
	switch x.op {
	case opLiteral:
		return x.typ, nil
	case opColumn:
		_, t, err := r.lookup(x, sc)
		return t, err
	case opParameter:
		return r.parameter(x), nil
	case opVariable:
		return typeOf(variableOf(r.run, x.name)), nil
	case opCast:
		t, err := r.infer(x.args[0], sc)
		if err == nil && t.Kind == Unknown {
			r.expects(x.args[0], x.typ)
		}
		return x.typ, err
	case opCall:
		return r.inferCall(x, sc)
	case opUnary:
		t, err := r.infer(x.args[0], sc)
		if x.name == "not" || x.name == "!" {
			t = Type{Kind: Bool}
		}
		return t, err
	case opCase:
		return r.inferCase(x, sc)
	case opQuery, opExists, opArray:
		return r.inferQuery(x, sc)
	}
	types := make([]Type, len(x.args))
	for i, a := range x.args {
		var err error
		if types[i], err = r.infer(a, sc); err != nil {
			return Type{}, err
		}
	}
	r.expectAlike(x, types)
	switch x.op {
	case opBinary:
		return r.inferBinary(x.name, types[0], types[1]), r.comparable(x.name, types)
	case opIn, opAny:
		if x.query != nil {
			rel, err := r.described(x.query, sc)
			if err == nil && len(rel.cols) == 1 {
				r.expects(x.args[0], rel.cols[0].Type)
			}
			return Type{Kind: Bool}, err
		}
	case opRow, opIndex:
		return Type{Kind: Text}, nil
	}
	return Type{Kind: Bool}, nil
}

// comparable refuses to compare a text column with a number, as PostgreSQL does.
func (r typing) comparable(name string, types []Type) error {
	if r.engine != Postgres || !slices.Contains([]string{"=", "<>", "<", ">", "<=", ">="}, name) {
		return nil
	}
	a, b := types[0].Kind, types[1].Kind
	isText := func(k Kind) bool { return k == Text || k == Varchar || k == Char || k == Name }
	if isText(a) && b.numeric() || a.numeric() && isText(b) {
		return &Error{State: "42883", Message: "operator does not exist: " + a.info().postgres + " " + name + " " + b.info().postgres}
	}
	return nil
}

// parameter is the type of a parameter as far as it is known.
func (r typing) parameter(x *expr) Type {
	for len(r.types) < x.number {
		r.types = append(r.types, Type{})
	}
	return r.types[x.number-1]
}

// expects says which type a parameter has beside a value of that type.
func (r typing) expects(x *expr, t Type) {
	if x.op == opParameter && r.parameter(x).Kind == Unknown {
		r.types[x.number-1] = t
	}
}

// expectAlike gives parameters the type of what they are compared with.
func (r typing) expectAlike(x *expr, types []Type) {
	known := Type{}
	for _, t := range types {
		if t.Kind != Unknown && known.Kind == Unknown {
			known = t
		}
	}
	switch {
	case x.op == opLike, x.op == opBinary && x.name == "||":
		known = Type{Kind: Text}
	case x.op == opAny && x.query == nil:
		if types[0].Kind.integer() {
			known = Type{Kind: IntArray}
		} else {
			known = Type{Kind: TextArray}
		}
		r.expects(x.args[1], known)
		return
	case x.op == opBinary && (x.name == "->" || x.name == "->>" || x.name == "~" || x.name == "~*"):
		known = Type{Kind: Text}
	case x.op == opBinary && types[0].Kind.temporal() && (x.name == "+" || x.name == "-"):
		known = Type{Kind: Interval}
	case x.op == opBinary && (x.name == "and" || x.name == "or"):
		known = Type{Kind: Bool}
	}
	if known.Kind == Unknown {
		return
	}
	for _, a := range x.args {
		r.expects(a, known)
	}
}

func (r typing) inferBinary(name string, a, b Type) Type {
	switch name {
	case "||":
		if a.Kind == TextArray || a.Kind == IntArray {
			return a
		}
		return Type{Kind: Text}
	case "->", "#>":
		return Type{Kind: JSON}
	case "->>", "#>>":
		return Type{Kind: Text}
	case "+", "-", "*", "/", "%", "div", "mod", "^", "&", "|", "<<", ">>":
		return r.inferNumber(name, a, b)
	}
	return Type{Kind: Bool}
}

func (r typing) inferNumber(name string, a, b Type) Type {
	switch {
	case a.Kind.temporal() && b.Kind.temporal():
		return Type{Kind: Interval}
	case a.Kind.temporal():
		if a.Kind == Date && b.Kind == Interval {
			return Type{Kind: Timestamp}
		}
		return a
	case b.Kind.temporal():
		return b
	case a.Kind == Float8 || b.Kind == Float8 || name == "^":
		return Type{Kind: Float8}
	case a.Kind == Numeric || b.Kind == Numeric:
		t := Type{Kind: Numeric, Scale: max(a.Scale, b.Scale)}
		switch {
		case name == "*":
			t.Scale = a.Scale + b.Scale
		case name == "/" && r.engine == Postgres:
			t.Scale = 16
		case name == "/":
			t.Scale = a.Scale + 4
		}
		return t
	case name == "/" && r.engine == MySQL:
		return Type{Kind: Numeric, Scale: 4}
	case a.Kind == Int8 || b.Kind == Int8 || r.engine == MySQL:
		return Type{Kind: Int8}
	}
	return Type{Kind: Int4}
}

func (r typing) inferCall(x *expr, sc *scope) (Type, error) {
	types := make([]Type, len(x.args))
	for i, a := range x.args {
		var err error
		if types[i], err = r.infer(a, sc); err != nil {
			return Type{}, err
		}
	}
	if x.filter != nil {
		if _, err := r.infer(x.filter, sc); err != nil {
			return Type{}, err
		}
	}
	if isAggregate(x.name) {
		return aggregateType(r.run, x.name, types), nil
	}
	f, err := r.functionOf(x, sc)
	if err != nil {
		return Type{}, err
	}
	result := f.result
	if f.like > 0 && len(types) >= f.like {
		for _, t := range types[f.like-1:] {
			if t.Kind != Unknown {
				result = t
				break
			}
		}
		for _, a := range x.args {
			r.expects(a, result)
		}
	}
	if result.Scale == -1 {
		result.Scale = 0
		if len(x.args) > 1 && x.args[1].op == opLiteral {
			result.Scale = max(whole(x.args[1].value), 0)
		}
	}
	return result, nil
}

func (r typing) inferCase(x *expr, sc *scope) (Type, error) {
	var result, subject Type
	args := x.args
	for i, a := range args {
		t, err := r.infer(a, sc)
		if err != nil {
			return Type{}, err
		}
		if x.all && i == 0 {
			subject = t
			continue
		}
		n := i
		if x.all {
			n--
		}
		isResult := n%2 == 1 || x.not && i == len(args)-1
		if !isResult {
			r.expects(a, subject)
		}
		if isResult && result.Kind == Unknown {
			result = t
		}
	}
	if result.Kind == Unknown {
		result.Kind = Text
	}
	return result, nil
}

func (r typing) inferQuery(x *expr, sc *scope) (Type, error) {
	if x.query == nil {
		kind := TextArray
		for i, a := range x.args {
			t, err := r.infer(a, sc)
			if err != nil {
				return Type{}, err
			}
			if i == 0 && t.Kind.integer() {
				kind = IntArray
			}
		}
		return Type{Kind: kind}, nil
	}
	rel, err := r.described(x.query, sc)
	if err != nil || x.op == opExists {
		return Type{Kind: Bool}, err
	}
	if len(rel.cols) != 1 {
		return Type{}, r.engine.problem("42601", 1241, "subquery must return only one column", "Operand should contain 1 column(s)")
	}
	t := rel.cols[0].Type
	if x.op == opArray {
		if t.Kind.integer() {
			return Type{Kind: IntArray}, nil
		}
		return Type{Kind: TextArray}, nil
	}
	return t, nil
}
