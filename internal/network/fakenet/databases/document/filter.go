package document

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// What one command may use.
// no gap: the command is evidence; only its answer is an error
const (
	maxSteps   = 300_000
	maxDepth   = 40
	maxPattern = 1 << 10
	maxAnswer  = 4 << 20 // bytes
)

// Error is an error of the database.
type Error struct {
	Code    int
	Name    string
	Message string
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

func bad(format string, args ...any) *Error {
	return &Error{2, "BadValue", fmt.Sprintf(format, args...)}
}

// work counts the steps of one command.
type work struct {
	steps, depth int
	patterns     map[string]*regexp.Regexp
}

func (w *work) step(n int) error {
	if w.steps += n; w.steps > maxSteps {
		return &Error{50, "MaxTimeMSExpired", "operation exceeded time limit"}
	}
	return nil
}

// enter bounds recursion.
func (w *work) enter() (func(), error) {
	w.depth++
	if w.depth > maxDepth {
		return func() { w.depth-- }, &Error{15, "Overflow", "BSON depth exceeded"}
	}
	return func() { w.depth-- }, w.step(1)
}

// matches says whether a document fulfils a filter.
func (w *work) matches(d Doc, filter Doc) (bool, error) {
	leave, err := w.enter()
	defer leave()
	if err != nil {
		return false, err
	}
	for _, m := range filter {
		var ok bool
		switch {
		case m.Name == "$and", m.Name == "$or", m.Name == "$nor":
			ok, err = w.several(d, m)
		case m.Name == "$comment":
			ok = true
		case m.Name == "$expr":
			var v any
			if v, err = w.eval(m.Value, d); err == nil {
				ok = truth(v)
			}
		case m.Name == "$where", m.Name == "$function":
			err = &Error{9, "FailedToParse", "no globalScriptEngine in $where parsing"}
		case m.Name == "$text":
			err = &Error{27, "IndexNotFound", "text index required for $text query"}
		case strings.HasPrefix(m.Name, "$"):
			err = bad("unknown top level operator: %s. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.", clip(m.Name))
		default:
			ok, err = w.field(d, m)
		}
		if err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

func clip(s string) string { return s[:min(len(s), 120)] }

func (w *work) several(d Doc, m Member) (bool, error) {
	list, isList := m.Value.(List)
	if !isList || len(list) == 0 {
		return false, bad("%s must be a nonempty array", m.Name)
	}
	for _, v := range list {
		inner, isDoc := v.(Doc)
		if !isDoc {
			return false, bad("%s argument's entries must be objects", m.Name)
		}
		ok, err := w.matches(d, inner)
		if err != nil {
			return false, err
		}
		if ok != (m.Name == "$and") {
			return m.Name == "$or", nil
		}
	}
	return m.Name != "$or", nil
}

// field compares the values at a path with a value or with operators.
func (w *work) field(d Doc, m Member) (bool, error) {
	values := at(d, parts(m.Name))
	if err := w.step(len(values)); err != nil {
		return false, err
	}
	ops, isDoc := m.Value.(Doc)
	if !isDoc || len(ops) == 0 || !strings.HasPrefix(ops[0].Name, "$") {
		return w.operator("$eq", values, m.Value, nil)
	}
	for _, op := range ops {
		ok, err := w.operator(op.Name, values, op.Value, ops)
		if err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// spread adds the elements of arrays: a condition on an array holds if it holds for
// one of them.
func spread(values []any) []any {
	out := slices.Clone(values)
	for _, v := range values {
		if list, isList := v.(List); isList {
			out = append(out, list...)
		}
	}
	return out
}

// operator applies one operator to the values at a path.
func (w *work) operator(name string, values []any, with any, ops Doc) (bool, error) {
	switch name {
	case "$ne", "$nin":
		ok, err := w.operator(map[string]string{"$ne": "$eq", "$nin": "$in"}[name], values, with, ops)
		return !ok, err
	case "$not":
		return w.not(values, with, ops)
	case "$exists":
		return (len(values) > 0) == truth(with), nil
	case "$options":
		return true, nil
	case "$in":
		return w.in(values, with, ops)
	case "$all":
		return w.all(values, with, ops)
	}
	return w.some(name, values, with, ops)
}

// not holds if the operators in it, or the value, do not.
func (w *work) not(values []any, with any, ops Doc) (bool, error) {
	inner, isDoc := with.(Doc)
	if !isDoc {
		ok, err := w.operator("$eq", values, with, ops)
		return !ok, err
	}
	for _, op := range inner {
		ok, err := w.operator(op.Name, values, op.Value, inner)
		if err != nil || !ok {
			return true, err
		}
	}
	return false, nil
}

// in holds if one value of the list is there.
func (w *work) in(values []any, with any, ops Doc) (bool, error) {
	list, isList := with.(List)
	if !isList {
		return false, bad("$in needs an array")
	}
	for _, v := range list {
		if ok, err := w.operator("$eq", values, v, ops); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// all holds if every value of the list is there.
func (w *work) all(values []any, with any, ops Doc) (bool, error) {
	list, _ := with.(List)
	for _, v := range list {
		if ok, err := w.operator("$eq", values, v, ops); !ok || err != nil {
			return false, err
		}
	}
	return len(list) > 0, nil
}

// some holds if an operator that compares does for one of the values.
func (w *work) some(name string, values []any, with any, ops Doc) (bool, error) {
	if name == "$eq" && with == nil && len(values) == 0 {
		return true, nil
	}
	if len(values) == 0 { // what is wrong with the operator shows all the same
		_, err := w.holds(name, nil, with, ops)
		return false, err
	}
	for _, v := range spread(values) {
		if err := w.step(1 + size(v)/256); err != nil {
			return false, err
		}
		if ok, err := w.holds(name, v, with, ops); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// holds compares one value.
func (w *work) holds(name string, v, with any, ops Doc) (bool, error) {
	alike := rank(v) == rank(with)
	switch name {
	case "$eq":
		if re, isRegexp := with.(Regexp); isRegexp {
			return w.regexp(v, re.Pattern, re.Options)
		}
		return alike && compare(v, with) == 0, nil
	case "$gt":
		return alike && compare(v, with) > 0, nil
	case "$gte":
		return alike && compare(v, with) >= 0, nil
	case "$lt":
		return alike && compare(v, with) < 0, nil
	case "$lte":
		return alike && compare(v, with) <= 0, nil
	case "$regex":
		options := ops.Text("$options")
		if re, isRegexp := with.(Regexp); isRegexp {
			return w.regexp(v, re.Pattern, re.Options+options)
		}
		pattern, _ := with.(string)
		return w.regexp(v, pattern, options)
	case "$size":
		list, isList := v.(List)
		n, isNumber := number(with)
		return isList && isNumber && len(list) == int(n), nil
	case "$type":
		s, _ := with.(string)
		_, isNumber := number(v)
		return typeName(v) == s || s == "number" && isNumber, nil
	case "$elemMatch":
		return w.element(v, with)
	case "$mod":
		list, _ := with.(List)
		f, isNumber := number(v)
		if len(list) != 2 || !isNumber {
			return false, nil
		}
		by, _ := number(list[0])
		rest, _ := number(list[1])
		return int64(by) != 0 && int64(f)%int64(by) == int64(rest), nil
	}
	return false, bad("unknown operator: %s", clip(name))
}
