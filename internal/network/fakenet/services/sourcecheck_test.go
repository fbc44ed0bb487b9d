package services_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// at follows a path through a decoded value.
func at(v any, path []string) (any, bool) {
	for _, name := range path {
		switch of := v.(type) {
		case map[string]any:
			next, ok := of[name]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(of) {
				return nil, false
			}
			v = of[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// is says whether a value passes a check, as the source would make it.
func is(v any, there bool, test string) bool {
	op, arg, _ := strings.Cut(test, " ")
	size := -1
	switch of := v.(type) {
	case []any:
		size = len(of)
	case map[string]any:
		size = len(of)
	case string:
		size = len(of)
	}
	n, isNumber := v.(float64)
	limit, _ := strconv.ParseFloat(arg, 64)
	switch op {
	case "=":
		return there && written(v) == arg
	case "!=":
		return there && written(v) != arg
	case ":":
		return there && kindOf(v) == arg
	case "~":
		s, ok := v.(string)
		return ok && regexp.MustCompile(arg).MatchString(s)
	case ">=":
		return isNumber && n >= limit
	case ">":
		return isNumber && n > limit
	case "<=":
		return isNumber && n <= limit
	case "<":
		return isNumber && n < limit
	case "len":
		return size == int(limit)
	case "len>=":
		return size >= int(limit)
	case "nonempty":
		return size > 0
	case "null":
		return there && v == nil
	case "falsy":
		return v == nil || v == false || v == "" || isNumber && n == 0
	case "truthy":
		return !is(v, there, "falsy")
	case "in":
		return slices.Contains(strings.Split(arg, ","), written(v))
	case "has":
		list, _ := v.([]any)
		return slices.Contains(list, any(arg))
	}
	panic("no check " + test)
}

func kindOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	}
	return "null"
}

func written(v any) string {
	if n, ok := v.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

func subset(want, have []string) bool {
	return !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(have, w) })
}

// hasElement looks for an element with some text in it; the path begins at the
// root or below it.
func hasElement(body []byte, path []string) bool {
	d := xml.NewDecoder(bytes.NewReader(body))
	var open []string
	found := false
	for {
		token, err := d.Token()
		if err != nil {
			return found && len(open) == 0
		}
		switch e := token.(type) {
		case xml.StartElement:
			open = append(open, e.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			inside := slices.Equal(open, path) || len(open) > 0 && slices.Equal(open[1:], path)
			found = found || inside && strings.TrimSpace(string(e)) != ""
		}
	}
}
