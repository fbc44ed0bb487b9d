package relational

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
)

// maxPattern is how long a regular expression may be.
// no gap: the statement is evidence; only its answer is an error
const maxPattern = 1 << 10

// among is IN, ANY and ALL.
func (r *run) among(x *expr, sc *scope) (Value, error) {
	v, err := r.eval(x.args[0], sc)
	if err != nil {
		return nil, err
	}
	name := "="
	if x.op == opAny {
		name = x.name
	}
	var list []Value
	switch {
	case x.query != nil:
		list, err = queriedList(r, x, v, sc)
	case x.op == opAny:
		list, err = arrayList(r, x, sc)
	default:
		return inList(r, x, v, sc)
	}
	if err != nil {
		return nil, err
	}
	found, unknown := x.all, false
	for _, y := range list {
		if err := r.step(1); err != nil {
			return nil, err
		}
		ok, err := r.compareBy(name, v, y)
		if err != nil {
			return nil, err
		}
		unknown = unknown || ok == nil
		if ok != nil && (ok == true) != x.all {
			return !x.all != x.not, nil
		}
	}
	if unknown {
		return nil, nil
	}
	return found != x.not, nil
}

// queriedList is what a query finds, to compare v with: values, or rows of several.
func queriedList(r *run, x *expr, v Value, sc *scope) ([]Value, error) {
	rel, err := r.selection(x.query, sc)
	if err != nil {
		return nil, err
	}
	if _, row := v.([]Value); len(rel.cols) != 1 && !row {
		return nil, r.engine.problem("42601", 1241, "subquery has too many columns", "Operand should contain 1 column(s)")
	}
	var list []Value
	for _, row := range rel.rows {
		if len(row) == 1 {
			list = append(list, row[0])
		} else {
			list = append(list, row)
		}
	}
	return list, nil
}

// arrayList is the array of ANY and ALL, which may be written as a text.
func arrayList(r *run, x *expr, sc *scope) ([]Value, error) {
	y, err := r.eval(x.args[1], sc)
	if err != nil {
		return nil, err
	}
	if s, ok := y.(string); ok {
		if y, err = r.cast(s, Type{Kind: TextArray}, ""); err != nil {
			return nil, err
		}
	}
	list, _ := y.([]Value)
	return list, nil
}

// inList compares with one value of the list after the other, so that a hit ends it.
func inList(r *run, x *expr, v Value, sc *scope) (Value, error) {
	unknown := false
	for _, arg := range x.args[1:] {
		y, err := r.eval(arg, sc)
		if err != nil {
			return nil, err
		}
		ok, err := r.compareBy("=", v, y)
		if err != nil {
			return nil, err
		}
		if ok == true {
			return !x.not, nil
		}
		unknown = unknown || ok == nil
	}
	if unknown {
		return nil, nil
	}
	return x.not, nil
}

func (r *run) between(x *expr, sc *scope) (Value, error) {
	args, err := r.evalAll(x.args, sc)
	if err != nil {
		return nil, err
	}
	low, err := r.compareBy(">=", args[0], args[1])
	if err != nil {
		return nil, err
	}
	high, err := r.compareBy("<=", args[0], args[2])
	if err != nil || low == nil || high == nil {
		return nil, err
	}
	return (low == true && high == true) != x.not, nil
}

func (r *run) is(x *expr, sc *scope) (Value, error) {
	v, err := r.eval(x.args[0], sc)
	if err != nil {
		return nil, err
	}
	if x.name == "null" {
		return (v == nil) != x.not, nil
	}
	ok, err := r.truth(v, sc)
	return (v != nil && ok == (x.name == "true")) != x.not, err
}

func (r *run) like(x *expr, sc *scope) (Value, error) {
	args, err := r.evalAll(x.args, sc)
	if err != nil || args[0] == nil || args[1] == nil {
		return nil, err
	}
	if x.name == "rlike" || x.name == "regexp" {
		ok, err := matches(r, args[0], args[1], "~*")
		return (ok == true) != x.not, err
	}
	s, pattern := r.engine.Format(args[0], Type{}), r.engine.Format(args[1], Type{})
	if x.name == "ilike" || r.engine == MySQL {
		s, pattern = strings.ToLower(s), strings.ToLower(pattern)
	}
	escape := byte('\\')
	if len(args) > 2 {
		if e := r.engine.Format(args[2], Type{}); len(e) > 0 {
			escape = e[0]
		} else {
			escape = 0
		}
	}
	if x.name == "similar" {
		pattern = "^(" + strings.NewReplacer("%", ".*", "_", ".").Replace(pattern) + ")$"
		ok, err := matches(r, s, pattern, "~")
		return (ok == true) != x.not, err
	}
	ok, steps := likeMatch(s, pattern, escape)
	if err := r.step(steps / 8); err != nil {
		return nil, err
	}
	return ok != x.not, nil
}

// likeMatch matches % and _ . It goes back to the last % only, so that its time is
// bounded by the product of both lengths.
func likeMatch(s, pattern string, escape byte) (ok bool, steps int) {
	i, j, star, from := 0, 0, -1, 0
	for i < len(s) {
		if steps++; steps > maxSteps*8 {
			return false, steps
		}
		switch {
		case j < len(pattern) && pattern[j] == '%':
			star, from = j, i
			j++
			continue
		case j < len(pattern) && pattern[j] == '_':
			i += runeLength(s[i])
			j++
			continue
		case j < len(pattern):
			at := j
			if pattern[j] == escape && j+1 < len(pattern) {
				at++
			}
			if pattern[at] == s[i] {
				i, j = i+1, at+1
				continue
			}
		}
		if star < 0 {
			return false, steps
		}
		from++
		i, j = from, star+1
	}
	for j < len(pattern) && pattern[j] == '%' {
		j++
	}
	return j == len(pattern), steps
}

func runeLength(c byte) int {
	switch {
	case c >= 0xf0:
		return 4
	case c >= 0xe0:
		return 3
	case c >= 0xc0:
		return 2
	}
	return 1
}

// matches compares a text with a regular expression, which takes linear time here.
func matches(r *run, a, b Value, name string) (Value, error) {
	s, pattern := r.engine.Format(a, Type{}), r.engine.Format(b, Type{})
	if strings.HasSuffix(name, "*") {
		pattern = "(?i)" + pattern
	}
	work := 100 + len(pattern) + len(s)/8
	if strings.Contains(pattern, "{") { // a repetition becomes as many copies
		work += maxSteps / 20
	}
	if err := r.step(work); err != nil {
		return nil, err
	}
	if len(pattern) > maxPattern {
		return nil, r.engine.problem("2201B", 3692, "invalid regular expression: regular expression is too complex", "Regular expression pattern exceeds limit")
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, r.engine.problem("2201B", 3692, "invalid regular expression: parentheses () not balanced", "Mismatched parenthesis in regular expression.")
	}
	return re.MatchString(s) != (name[0] == '!'), nil
}

// contains is @>, <@, && and ? of arrays and JSON.
func contains(r *run, name string, a, b Value) (Value, error) {
	if name == "<@" {
		a, b = b, a
	}
	list, ok := a.([]Value)
	other, also := b.([]Value)
	if ok && also {
		hits := 0
		for _, y := range other {
			for _, x := range list {
				if err := r.step(1); err != nil {
					return nil, err
				}
				if c, err := r.compareBy("=", x, y); err == nil && c == true {
					hits++
					break
				}
			}
		}
		if name == "&&" {
			return hits > 0, nil
		}
		return hits == len(other), nil
	}
	s, t := r.engine.Format(a, Type{}), r.engine.Format(b, Type{})
	if err := r.step((len(s) + len(t)) / 8); err != nil {
		return nil, err
	}
	var x, y any
	if json.Unmarshal([]byte(s), &x) != nil {
		return false, nil //nolint:nilerr // what is not JSON has nothing
	}
	if name == "?" {
		object, _ := x.(map[string]any)
		_, found := object[t]
		return found, nil
	}
	if json.Unmarshal([]byte(t), &y) != nil {
		return false, nil //nolint:nilerr // see above
	}
	return holdsAll(x, y), nil
}

// holdsAll says whether JSON contains all that another one has.
func holdsAll(x, y any) bool {
	from, ok := x.(map[string]any)
	want, also := y.(map[string]any)
	if !ok || !also {
		return reflect.DeepEqual(x, y)
	}
	for k, v := range want {
		if w, found := from[k]; !found || !holdsAll(w, v) {
			return false
		}
	}
	return true
}
