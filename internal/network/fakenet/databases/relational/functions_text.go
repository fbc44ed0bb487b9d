package relational

import (
	"crypto/md5" //nolint:gosec // what the database's function computes
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

func (r *run) show(v Value) string { return r.engine.Format(v, Type{}) }

// ofText makes a function of one text.
func ofText(f func(string) Value) function {
	return function{least: 1, most: 1, result: Type{Kind: Text}, call: func(r *run, a []Value) (Value, error) { return f(r.show(a[0])), nil }}
}

func count(f func(string) Value) function {
	g := ofText(f)
	g.result = Type{Kind: Int4}
	return g
}

func textFunctions() map[string]function {
	txt := Type{Kind: Text}
	length := count(func(s string) Value { return int64(utf8.RuneCountInString(s)) })
	upper, lower := ofText(func(s string) Value { return strings.ToUpper(s) }), ofText(func(s string) Value { return strings.ToLower(s) })
	substring := function{least: 2, most: 3, result: txt, call: substring}
	return map[string]function{
		"upper": upper, "ucase": upper, "lower": lower, "lcase": lower, "length": length, "char_length": length, "character_length": length,
		"octet_length": count(func(s string) Value { return int64(len(s)) }),
		"reverse":      ofText(func(s string) Value { return reversed(s) }),
		"initcap":      ofText(func(s string) Value { return titled(s) }),
		"md5":          ofText(func(s string) Value { return fmt.Sprintf("%x", md5.Sum([]byte(s))) }), //nolint:gosec // see above
		"sha256":       ofText(func(s string) Value { return fmt.Sprintf("\\x%x", sha256.Sum256([]byte(s))) }),
		"hex":          ofText(func(s string) Value { return strings.ToUpper(hex.EncodeToString([]byte(s))) }),
		"unhex":        ofText(func(s string) Value { return unhex(s) }),
		"to_base64":    ofText(func(s string) Value { return base64.StdEncoding.EncodeToString([]byte(s)) }),
		"quote_ident":  ofText(func(s string) Value { return quotedIdent(s) }),
		"quote_literal": ofText(func(s string) Value {
			return "'" + strings.ReplaceAll(s, "'", "''") + "'"
		}),
		"ascii": count(func(s string) Value {
			if s == "" {
				return int64(0)
			}
			return int64(s[0])
		}),
		"chr":  {least: 1, most: 1, result: txt, call: characters},
		"char": {least: 1, most: 64, result: txt, call: characters},
		"concat": {least: 0, most: -1, result: txt, nulls: true, call: func(r *run, a []Value) (Value, error) {
			return concatAll(r, a, "")
		}},
		"concat_ws": {least: 1, most: -1, result: txt, nulls: true, call: func(r *run, a []Value) (Value, error) {
			return concatAll(r, a[1:], r.show(a[0]))
		}},
		"substring": substring, "substr": substring, "mid": substring,
		"left":    {least: 2, most: 2, result: txt, call: func(r *run, a []Value) (Value, error) { return substringOf(r.show(a[0]), 1, whole(a[1])), nil }},
		"right":   {least: 2, most: 2, result: txt, call: rightOf},
		"trim":    {least: 1, most: 2, result: txt, call: trimmer(strings.Trim)},
		"btrim":   {least: 1, most: 2, result: txt, call: trimmer(strings.Trim)},
		"ltrim":   {least: 1, most: 2, result: txt, call: trimmer(strings.TrimLeft)},
		"rtrim":   {least: 1, most: 2, result: txt, call: trimmer(strings.TrimRight)},
		"replace": {least: 3, most: 3, result: txt, call: replaceAll},
		"repeat":  {least: 2, most: 2, result: txt, call: repeat},
		"lpad":    {least: 2, most: 3, result: txt, call: func(r *run, a []Value) (Value, error) { return pad(r, a, true) }},
		"rpad":    {least: 2, most: 3, result: txt, call: func(r *run, a []Value) (Value, error) { return pad(r, a, false) }},
		"strpos": {least: 2, most: 2, result: Type{Kind: Int4}, call: func(r *run, a []Value) (Value, error) {
			return int64(strings.Index(r.show(a[0]), r.show(a[1])) + 1), nil
		}},
		"instr": {least: 2, most: 2, result: Type{Kind: Int4}, call: func(r *run, a []Value) (Value, error) {
			return int64(strings.Index(strings.ToLower(r.show(a[0])), strings.ToLower(r.show(a[1]))) + 1), nil
		}},
		"locate": {least: 2, most: 3, result: Type{Kind: Int4}, call: func(r *run, a []Value) (Value, error) {
			return int64(strings.Index(r.show(a[1]), r.show(a[0])) + 1), nil
		}},
		"split_part": {least: 3, most: 3, result: txt, call: splitPart},
		"format":     {least: 1, most: -1, result: txt, nulls: true, call: formatted},
		"string_to_array": {least: 2, most: 2, result: Type{Kind: TextArray}, call: func(r *run, a []Value) (Value, error) {
			list := []Value{}
			for part := range strings.SplitSeq(r.show(a[0]), r.show(a[1])) {
				list = append(list, part)
			}
			return list, r.keep(len(list))
		}},
		"array_to_string": {least: 2, most: 3, result: txt, call: func(r *run, a []Value) (Value, error) {
			list, _ := a[0].([]Value)
			return concatAll(r, list, r.show(a[1]))
		}},
	}
}

func reversed(s string) string {
	list := []rune(s)
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return string(list)
}

func titled(s string) string {
	p := []byte(strings.ToLower(s))
	for i := range p {
		if (i == 0 || !letter(p[i-1])) && p[i] >= 'a' && p[i] <= 'z' {
			p[i] -= 'a' - 'A'
		}
	}
	return string(p)
}

func quotedIdent(s string) string {
	for i := range len(s) {
		if !digit(s[i]) && s[i] != '_' && (s[i] < 'a' || s[i] > 'z') {
			return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
	}
	return s
}

// whole is a value as a whole number.
func whole(v Value) int {
	f, _ := prefixNumber(v)
	return int(max(min(f, 1<<31), -1<<31))
}

func characters(_ *run, a []Value) (Value, error) {
	var b strings.Builder
	for _, v := range a {
		b.WriteRune(rune(whole(v) & 0x1fffff))
	}
	return b.String(), nil
}

// concatAll joins values. NULL is left out; for MySQL it makes all of a plain
// concatenation NULL.
func concatAll(r *run, list []Value, between string) (Value, error) {
	var b strings.Builder
	first := true
	for _, v := range list {
		if v == nil {
			if r.engine == MySQL && between == "" {
				return nil, nil
			}
			continue
		}
		if !first {
			b.WriteString(between)
		}
		first = false
		b.WriteString(r.show(v))
		if b.Len() > maxValue {
			break
		}
	}
	return r.made(b.String())
}

func substring(r *run, a []Value) (Value, error) {
	from, n := whole(a[1]), 1<<30
	if len(a) > 2 {
		n = whole(a[2])
	}
	s := r.show(a[0])
	if from < 0 && r.engine == MySQL {
		from += utf8.RuneCountInString(s) + 1
	}
	return substringOf(s, from, n), nil
}

// substringOf takes n characters from a place that counts from one.
func substringOf(s string, from, n int) string {
	list := []rune(s)
	last := min(max(from+n-1, 0), len(list))
	from = min(max(from-1, 0), len(list))
	if last <= from {
		return ""
	}
	return string(list[from:last])
}

func rightOf(r *run, a []Value) (Value, error) {
	list := []rune(r.show(a[0]))
	return string(list[len(list)-min(max(whole(a[1]), 0), len(list)):]), nil
}

func trimmer(f func(s, set string) string) func(*run, []Value) (Value, error) {
	return func(r *run, a []Value) (Value, error) {
		set := " "
		if len(a) > 1 {
			set = r.show(a[1])
		}
		return f(r.show(a[0]), set), nil
	}
}

func replaceAll(r *run, a []Value) (Value, error) {
	s, from, to := r.show(a[0]), r.show(a[1]), r.show(a[2])
	if from == "" {
		return s, nil
	}
	if n := strings.Count(s, from); len(s)+n*len(to) > maxValue {
		return nil, r.engine.tooMuch()
	}
	return strings.ReplaceAll(s, from, to), nil
}

func repeat(r *run, a []Value) (Value, error) {
	s, n := r.show(a[0]), max(whole(a[1]), 0)
	if n > 0 && len(s) > maxValue/n {
		return nil, r.engine.problem("54000", 1301, "requested length too large", "Result of repeat() was larger than max_allowed_packet (67108864) - truncated")
	}
	return strings.Repeat(s, n), nil
}

func pad(r *run, a []Value, left bool) (Value, error) {
	s, n, with := []rune(r.show(a[0])), whole(a[1]), []rune(" ")
	if len(a) > 2 {
		with = []rune(r.show(a[2]))
	}
	if n > maxValue/4 {
		return nil, r.engine.tooMuch()
	}
	if n <= len(s) || len(with) == 0 {
		return string(s[:min(max(n, 0), len(s))]), nil
	}
	var fill []rune
	for i := range n - len(s) {
		fill = append(fill, with[i%len(with)])
	}
	if left {
		return string(fill) + string(s), nil
	}
	return string(s) + string(fill), nil
}

func splitPart(r *run, a []Value) (Value, error) {
	parts, n := strings.Split(r.show(a[0]), r.show(a[1])), whole(a[2])
	if n < 1 || n > len(parts) {
		return "", nil
	}
	return parts[n-1], nil
}

// formatted is PostgreSQL's format; MySQL's writes a number.
func formatted(r *run, a []Value) (Value, error) {
	if a[0] == nil {
		return nil, nil
	}
	if r.engine == MySQL {
		f, _ := prefixNumber(a[0])
		return fmt.Sprintf("%.2f", f), nil
	}
	var b strings.Builder
	s, next := r.show(a[0]), 1
	for i := 0; i < len(s); i++ {
		if s[i] != '%' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if s[i] == '%' || next >= len(a) {
			b.WriteByte('%')
			continue
		}
		v := r.show(a[next])
		next++
		switch s[i] {
		case 'I':
			v = quotedIdent(v)
		case 'L':
			v = "'" + strings.ReplaceAll(v, "'", "''") + "'"
		}
		b.WriteString(v)
		if b.Len() > maxValue {
			break
		}
	}
	return b.String(), nil
}
