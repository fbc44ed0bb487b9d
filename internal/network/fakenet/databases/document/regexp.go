package document

import (
	"regexp"
	"strings"
)

func (w *work) element(v, with any) (bool, error) {
	list, isList := v.(List)
	filter, isDoc := with.(Doc)
	if !isList || !isDoc {
		return false, nil
	}
	for _, one := range list {
		var ok bool
		var err error
		if d, inner := one.(Doc); inner {
			ok, err = w.matches(d, filter)
		} else if len(filter) > 0 && strings.HasPrefix(filter[0].Name, "$") {
			ok, err = w.field(Doc{{"v", one}}, Member{"v", filter})
		}
		if ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// regexp matches in linear time.
func (w *work) regexp(v any, pattern, options string) (bool, error) {
	s, isText := v.(string)
	if !isText {
		return false, nil
	}
	flags := ""
	for _, c := range "ims" {
		if strings.ContainsRune(options, c) {
			flags += string(c)
		}
	}
	if flags != "" {
		pattern = "(?" + flags + ")" + pattern
	}
	re := w.patterns[pattern]
	if re == nil {
		if err := w.step(maxSteps / 40); err != nil {
			return false, err
		}
		var err error
		if len(pattern) > maxPattern {
			return false, &Error{51091, "Location51091", "Regular expression is invalid: regular expression is too large"}
		}
		if re, err = regexp.Compile(pattern); err != nil {
			return false, &Error{51091, "Location51091", "Regular expression is invalid: missing closing parenthesis"}
		}
		if w.patterns == nil {
			w.patterns = map[string]*regexp.Regexp{}
		}
		w.patterns[pattern] = re
	}
	if err := w.step(len(s) / 8); err != nil {
		return false, err
	}
	return re.MatchString(s), nil
}

// truth is a value as a condition of an expression.
func truth(v any) bool {
	f, isNumber := number(v)
	return v != nil && v != false && (!isNumber || f != 0)
}
