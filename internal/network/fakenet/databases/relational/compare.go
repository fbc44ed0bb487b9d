package relational

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

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
			return nil, nil // MySQL compares with nothing then
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
