package relational

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

func (r *run) unary(x *expr, sc *scope) (Value, error) {
	v, err := r.eval(x.args[0], sc)
	if err != nil || v == nil {
		return nil, err
	}
	if x.name == "not" || x.name == "!" {
		ok, err := r.truth(v, sc)
		return !ok, err
	}
	v, err = r.number(v)
	if err != nil {
		return nil, err
	}
	switch n := v.(type) {
	case int64:
		switch x.name {
		case "-":
			return -n, nil
		case "~":
			return ^n, nil
		}
	case float64:
		if x.name == "-" {
			return -n, nil
		}
	}
	return v, nil
}

func (r *run) binary(x *expr, sc *scope) (Value, error) {
	switch x.name {
	case "and", "or", "xor":
		return r.logic(x, sc)
	}
	args, err := r.evalAll(x.args, sc)
	if err != nil {
		return nil, err
	}
	a, b := args[0], args[1]
	switch x.name {
	case "=", "<>", "<", ">", "<=", ">=", "<=>":
		return r.compareBy(x.name, a, b)
	}
	if a == nil || b == nil {
		return nil, nil
	}
	switch x.name {
	case "||":
		return concat(r, a, b)
	case "->", "->>", "#>", "#>>":
		return member(r, x.name, a, b)
	case "~", "~*", "!~", "!~*":
		return matches(r, a, b, x.name)
	case "@>", "<@", "&&", "?":
		return contains(r, x.name, a, b)
	}
	return r.arithmetic(x.name, a, b)
}

// logic is AND and OR with three values. The right side is left out if the left
// one decides.
func (r *run) logic(x *expr, sc *scope) (Value, error) {
	known := [2]Value{}
	for i, arg := range x.args {
		v, err := r.eval(arg, sc)
		if err != nil {
			return nil, err
		}
		if v != nil {
			ok, err := r.truth(v, sc)
			if err != nil {
				return nil, err
			}
			if x.name == "and" && !ok || x.name == "or" && ok {
				return ok, nil
			}
			known[i] = ok
		}
	}
	if known[0] == nil || known[1] == nil {
		return nil, nil
	}
	if x.name == "xor" {
		return known[0] != known[1], nil
	}
	return x.name == "and", nil
}

func concat(r *run, a, b Value) (Value, error) {
	if list, ok := a.([]Value); ok {
		more, ok := b.([]Value)
		if !ok {
			more = []Value{b}
		}
		return append(slices.Clip(list), more...), r.keep(len(list) + len(more))
	}
	return r.made(r.engine.Format(a, Type{}) + r.engine.Format(b, Type{}))
}

// number reads a value as a number.
func (r *run) number(v Value) (Value, error) {
	switch v := v.(type) {
	case int64, float64:
		return v, nil
	case bool:
		if r.engine == MySQL {
			f, _ := prefixNumber(v)
			return int64(f), nil
		}
	case string:
		if r.engine == MySQL {
			f, _ := prefixNumber(v)
			if f == math.Trunc(f) && math.Abs(f) < 1e15 {
				return int64(f), nil
			}
			return f, nil
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64); err == nil {
			return n, nil
		}
		return r.cast(v, Type{Kind: Numeric}, "")
	}
	return nil, &Error{State: "42883", Number: 1064, Message: "operator does not exist: " + typeOf(v).Name()}
}

func (r *run) arithmetic(name string, a, b Value) (Value, error) {
	if v, done, err := dates(r, name, a, b); done {
		return v, err
	}
	a, err := r.number(a)
	if err == nil {
		b, err = r.number(b)
	}
	if err != nil {
		return nil, err
	}
	x, xWhole := a.(int64)
	y, yWhole := b.(int64)
	if xWhole && yWhole && (name != "/" || r.engine == Postgres) && name != "^" {
		return wholes(r, name, x, y)
	}
	f, _ := prefixNumber(a)
	g, _ := prefixNumber(b)
	if g == 0 && (name == "/" || name == "%" || name == "div" || name == "mod") {
		return byZero(r)
	}
	switch name {
	case "+":
		return f + g, nil
	case "-":
		return f - g, nil
	case "*":
		return f * g, nil
	case "/":
		return f / g, nil
	case "%", "mod":
		return math.Mod(f, g), nil
	case "div":
		return int64(f / g), nil
	case "^":
		return math.Pow(f, g), nil
	}
	return nil, r.engine.problem("42883", 1064, "operator does not exist: numeric %s numeric", "operator %s", name)
}

func byZero(r *run) (Value, error) {
	if r.engine == MySQL {
		return nil, nil
	}
	return nil, &Error{State: "22012", Message: "division by zero"}
}

// wholes computes with whole numbers.
func wholes(r *run, name string, x, y int64) (Value, error) {
	var z int64
	switch name {
	case "+":
		z = x + y
		if (z > x) != (y > 0) {
			return tooLarge(r)
		}
	case "-":
		z = x - y
		if (z < x) != (y > 0) {
			return tooLarge(r)
		}
	case "*":
		z = x * y
		if x != 0 && (z/x != y || x == -1 && y == math.MinInt64) {
			return tooLarge(r)
		}
	case "/", "div", "%", "mod":
		if y == 0 {
			return byZero(r)
		}
		if y == -1 {
			return map[bool]int64{true: -x}[name == "/" || name == "div"], nil
		}
		if name == "/" || name == "div" {
			return x / y, nil
		}
		return x % y, nil
	case "&":
		z = x & y
	case "|":
		z = x | y
	case "<<":
		z = x << (uint64(y) & 63)
	case ">>":
		z = x >> (uint64(y) & 63)
	case "#":
		z = x ^ y
	default:
		return nil, r.engine.problem("42883", 1064, "operator does not exist: integer %s integer", "operator %s", name)
	}
	if name == "+" || name == "-" {
		if y == 0 {
			z = x
		}
	}
	return z, nil
}

func tooLarge(r *run) (Value, error) {
	return nil, r.engine.problem("22003", 1690, "bigint out of range", "BIGINT value is out of range")
}
