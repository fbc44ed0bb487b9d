package document

import (
	"math"
	"strings"
	"time"
)

// eval computes an expression: "$a.b" is a member, {$op: ...} a computation.
func (w *work) eval(x any, d Doc) (any, error) {
	leave, err := w.enter()
	defer leave()
	if err != nil {
		return nil, err
	}
	switch x := x.(type) {
	case string:
		switch {
		case x == "$$ROOT" || x == "$$CURRENT":
			return d, nil
		case strings.HasPrefix(x, "$$"):
			return nil, nil
		case strings.HasPrefix(x, "$"):
			if err := w.step(strings.Count(x, ".")); err != nil {
				return nil, err
			}
			return one(d, x[1:]), nil
		}
	case List:
		out := make(List, len(x))
		for i := range x {
			if out[i], err = w.eval(x[i], d); err != nil {
				return nil, err
			}
		}
		return out, nil
	case Doc:
		if len(x) == 1 && strings.HasPrefix(x[0].Name, "$") {
			return w.compute(x[0], d)
		}
		out := Doc{}
		for _, m := range x {
			v, err := w.eval(m.Value, d)
			if err != nil {
				return nil, err
			}
			out = append(out, Member{m.Name, v})
		}
		return out, nil
	}
	return x, nil
}

func (w *work) compute(op Member, d Doc) (any, error) {
	switch op.Name {
	case "$literal":
		return op.Value, nil
	case "$function", "$accumulator", "$where":
		return nil, &Error{31264, "Location31264", op.Name + " not allowed without Javascript enabled"}
	case "$cond":
		return w.cond(op.Value, d)
	case "$dateToString":
		how, _ := op.Value.(Doc)
		v, _ := how.Get("date")
		at, err := w.eval(v, d)
		if t, isTime := at.(time.Time); isTime {
			return formatTime(t, how.Text("format")), err
		}
		return nil, err
	}
	v, err := w.eval(op.Value, d)
	if err != nil {
		return nil, err
	}
	args, isList := v.(List)
	if !isList {
		args = List{v}
	}
	if err := w.step(len(args) + size(v)/64); err != nil {
		return nil, err
	}
	if result, done := arithmetic(op.Name, args); done {
		return result, nil
	}
	return operate(op.Name, args)
}

func (w *work) cond(v any, d Doc) (any, error) {
	list, isList := v.(List)
	if how, isDoc := v.(Doc); isDoc {
		a, _ := how.Get("if")
		b, _ := how.Get("then")
		c, _ := how.Get("else")
		list, isList = List{a, b, c}, true
	}
	if !isList || len(list) != 3 {
		return nil, bad("Expression $cond takes exactly 3 arguments.")
	}
	ok, err := w.eval(list[0], d)
	if err != nil {
		return nil, err
	}
	if truth(ok) {
		return w.eval(list[1], d)
	}
	return w.eval(list[2], d)
}

func formatTime(t time.Time, format string) string {
	if format == "" {
		format = "%Y-%m-%dT%H:%M:%S.%LZ"
	}
	return strings.NewReplacer("%Y", t.Format("2006"), "%m", t.Format("01"), "%d", t.Format("02"), "%H", t.Format("15"), "%M", t.Format("04"),
		"%S", t.Format("05"), "%L", t.Format("000")).Replace(clip(format))
}

// arithmetic computes with numbers; done is false for other operators.
func arithmetic(name string, args List) (result any, done bool) {
	switch name {
	case "$add", "$subtract", "$multiply", "$divide", "$mod", "$sum", "$avg", "$abs", "$ceil", "$floor", "$round", "$toInt", "$toDouble", "$toLong":
	default:
		return nil, false
	}
	var list []float64
	for _, v := range args {
		inner, isList := v.(List)
		if !isList {
			inner = List{v}
		}
		for _, v := range inner {
			f, isNumber := number(v)
			if !isNumber && name != "$sum" && name != "$avg" {
				return nil, true
			}
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return nil, true
	}
	f := list[0]
	for _, g := range list[1:] {
		switch name {
		case "$add", "$sum", "$avg":
			f += g
		case "$subtract":
			f -= g
		case "$multiply":
			f *= g
		case "$divide":
			f /= g
		case "$mod":
			f = math.Mod(f, g)
		}
	}
	switch name {
	case "$divide", "$toDouble":
		return f, true
	case "$avg":
		return f / float64(len(list)), true
	case "$abs":
		f = math.Abs(f)
	case "$ceil":
		f = math.Ceil(f)
	case "$floor":
		f = math.Floor(f)
	case "$round":
		scale := 1.0
		if len(list) > 1 {
			scale = math.Pow10(int(max(min(list[1], 15), -15)))
		}
		f = math.Round(list[0]*scale) / scale
	case "$toInt", "$toLong":
		return likeNumber(math.Trunc(f), int64(0)), true
	}
	return likeNumber(f, args...), true
}

// operate are the other operators.
func operate(name string, args List) (any, error) {
	var first, second any
	if len(args) > 0 {
		first = args[0]
	}
	if len(args) > 1 {
		second = args[1]
	}
	s, _ := first.(string)
	switch name {
	case "$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$cmp":
		return compared(name, compare(first, second)), nil
	case "$and", "$or":
		for _, v := range args {
			if truth(v) != (name == "$and") {
				return name == "$or", nil
			}
		}
		return name == "$and", nil
	case "$not":
		return !truth(first), nil
	case "$ifNull":
		for _, v := range args {
			if v != nil {
				return v, nil
			}
		}
		return nil, nil
	case "$concat":
		var b strings.Builder
		for _, v := range args {
			part, isText := v.(string)
			if !isText {
				return nil, nil
			}
			b.WriteString(part)
		}
		return b.String(), nil
	}
	return convert(name, args, first, second, s)
}

// convert are the operators that take one value.
func convert(name string, args List, first, second any, s string) (any, error) {
	switch name {
	case "$toUpper":
		return strings.ToUpper(s), nil
	case "$toLower":
		return strings.ToLower(s), nil
	case "$toString":
		return show(first), nil
	case "$strLenCP", "$strLenBytes":
		return int32(len(s)), nil
	case "$size":
		return int32(len(args)), nil
	case "$type":
		return typeName(first), nil
	case "$in":
		list, _ := second.(List)
		for _, v := range list {
			if compare(v, first) == 0 {
				return true, nil
			}
		}
		return false, nil
	case "$arrayElemAt":
		list, _ := first.(List)
		n, _ := number(second)
		if n < 0 {
			n += float64(len(list))
		}
		if n < 0 || int(n) >= len(list) {
			return nil, nil
		}
		return list[int(n)], nil
	case "$first":
		return first, nil
	case "$min", "$max":
		return (pipeline{&call{work: &work{}}}).reduced(name, args), nil
	case "$year", "$month", "$dayOfMonth", "$hour", "$dayOfWeek":
		t, isTime := first.(time.Time)
		if !isTime {
			return nil, nil
		}
		return int32(map[string]int{"$year": t.Year(), "$month": int(t.Month()), "$dayOfMonth": t.Day(), "$hour": t.Hour(), "$dayOfWeek": int(t.Weekday()) + 1}[name]), nil
	}
	return nil, &Error{168, "InvalidPipelineOperator", "Unrecognized expression '" + clip(name) + "'"}
}

func compared(name string, c int) any {
	switch name {
	case "$eq":
		return c == 0
	case "$ne":
		return c != 0
	case "$gt":
		return c > 0
	case "$gte":
		return c >= 0
	case "$lt":
		return c < 0
	case "$lte":
		return c <= 0
	}
	return int32(c)
}
