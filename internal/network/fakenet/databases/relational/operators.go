package relational

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
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
		return append(list[:len(list):len(list)], more...), r.keep(len(list) + len(more))
	}
	return r.made(r.engine.Format(a, Type{}) + r.engine.Format(b, Type{}))
}

// compareBy compares two values; with NULL the result is unknown.
func (r *run) compareBy(name string, a, b Value) (Value, error) {
	if name == "<=>" {
		if a == nil || b == nil {
			return a == nil && b == nil, nil
		}
		name = "="
	}
	if a == nil || b == nil {
		return nil, nil
	}
	c, err := r.compare(a, b)
	if err != nil {
		return nil, err
	}
	switch name {
	case "=":
		return c == 0, nil
	case "<>":
		return c != 0, nil
	case "<":
		return c < 0, nil
	case ">":
		return c > 0, nil
	case "<=":
		return c <= 0, nil
	}
	return c >= 0, nil
}

// compare orders two values that are not NULL. A text beside another kind of value
// is read as one of that kind.
func (r *run) compare(a, b Value) (int, error) {
	if list, ok := a.([]Value); ok {
		if other, ok := b.([]Value); ok {
			return compareLists(r, list, other)
		}
	}
	sa, aText := a.(string)
	sb, bText := b.(string)
	if d, ok := a.(document); ok {
		sa, aText = string(d), true
	}
	if d, ok := b.(document); ok {
		sb, bText = string(d), true
	}
	if err := r.step((len(sa) + len(sb)) / 64); err != nil {
		return 0, err
	}
	switch {
	case aText && bText:
		if r.engine == MySQL {
			return strings.Compare(strings.ToLower(sa), strings.ToLower(sb)), nil
		}
		return strings.Compare(sa, sb), nil
	case aText:
		v, err := readAs(r, sa, b)
		if err != nil {
			return 0, err
		}
		return compareLike(v, b), nil
	case bText:
		v, err := readAs(r, sb, a)
		if err != nil {
			return 0, err
		}
		return compareLike(a, v), nil
	}
	return compareLike(a, b), nil
}

func compareLists(r *run, a, b []Value) (int, error) {
	for i := range min(len(a), len(b)) {
		if a[i] == nil || b[i] == nil {
			if a[i] != b[i] {
				return 1, nil
			}
			continue
		}
		if c, err := r.compare(a[i], b[i]); c != 0 || err != nil {
			return c, err
		}
	}
	return cmp.Compare(len(a), len(b)), nil
}

// as reads a text as the kind of another value.
func readAs(r *run, s string, other Value) (Value, error) {
	switch other.(type) {
	case int64, float64:
		if r.engine == MySQL {
			f, _ := prefixNumber(s)
			return f, nil
		}
		if _, whole := other.(int64); whole {
			return r.cast(s, Type{Kind: Int8}, "")
		}
		return r.cast(s, Type{Kind: Numeric}, "")
	case bool:
		if r.engine == MySQL {
			f, _ := prefixNumber(s)
			return f, nil
		}
		return r.cast(s, Type{Kind: Bool}, "")
	case time.Time:
		v, err := r.cast(s, Type{Kind: TimestampTZ}, "")
		if err != nil && r.engine == MySQL {
			return nil, nil //nolint:nilerr // MySQL compares with nothing then
		}
		return v, err
	case []Value:
		return r.cast(s, Type{Kind: TextArray}, "")
	}
	return s, nil
}

func compareLike(a, b Value) int {
	if x, ok := a.(time.Time); ok {
		if y, ok := b.(time.Time); ok {
			return x.Compare(y)
		}
	}
	x, _ := prefixNumber(a)
	y, _ := prefixNumber(b)
	return cmp.Compare(x, y)
}

// prefixNumber is the number that a value is, or begins with.
func prefixNumber(v Value) (f float64, whole bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case time.Time:
		f, _ = strconv.ParseFloat(v.Format("20060102150405"), 64)
		return f, true
	case string:
		s := strings.TrimSpace(v)
		n := 0
		for n < len(s) && (digit(s[n]) || s[n] == '.' && !strings.Contains(s[:n], ".") || n == 0 && (s[n] == '-' || s[n] == '+')) {
			n++
		}
		f, err := strconv.ParseFloat(s[:n], 64)
		return f, err == nil && n == len(s)
	}
	return 0, false
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

// member takes a member out of JSON.
func member(r *run, name string, a, b Value) (Value, error) {
	s := r.engine.Format(a, Type{})
	if d, ok := a.(document); ok {
		s = string(d)
	}
	keys := []Value{b}
	switch path := b.(type) {
	case []Value:
		keys = path
	case string:
		if name[0] == '#' {
			list, err := r.cast(path, Type{Kind: TextArray}, "")
			if err != nil {
				return nil, err
			}
			keys = list.([]Value)
		} else if r.engine == MySQL {
			keys = jsonPath(path)
		}
	}
	if err := r.step(len(s) / 16); err != nil {
		return nil, err
	}
	raw := json.RawMessage(s)
	for _, k := range keys {
		if raw = within(raw, k); raw == nil {
			return nil, nil
		}
	}
	return unwrapped(raw, strings.HasSuffix(name, ">>"))
}

// within is a member of a JSON value; nil if there is none.
func within(raw json.RawMessage, key Value) json.RawMessage {
	if n, ok := key.(int64); ok {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil || n >= int64(len(list)) || n < -int64(len(list)) {
			return nil
		}
		if n < 0 {
			n += int64(len(list))
		}
		return list[n]
	}
	name, _ := key.(string)
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		if n, err := strconv.ParseInt(name, 10, 32); err == nil {
			return within(raw, n)
		}
		return nil
	}
	return object[name]
}

// unwrapped is JSON as a value: as it is, or as text without quotes.
func unwrapped(raw json.RawMessage, plainText bool) (Value, error) {
	if !plainText {
		return document(raw), nil
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if string(raw) == "null" {
			return nil, nil
		}
		return s, nil
	}
	return string(raw), nil
}

// jsonPath reads MySQL's "$.a.b[0]".
func jsonPath(path string) []Value {
	var keys []Value
	for part := range strings.FieldsFuncSeq(strings.TrimPrefix(path, "$"), func(c rune) bool { return c == '.' || c == '[' || c == ']' }) {
		if n, err := strconv.ParseInt(part, 10, 32); err == nil {
			keys = append(keys, n)
			continue
		}
		keys = append(keys, strings.Trim(part, `"`))
	}
	return keys
}
