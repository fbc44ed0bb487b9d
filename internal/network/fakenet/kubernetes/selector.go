package kubernetes

import (
	"fmt"
	"slices"
	"strings"
)

// selected are the objects of a target that the selectors of a request permit.
func (c *Cluster) selected(r *Request, t *target) []Item {
	labels, fields := r.Query.Get("labelSelector"), r.Query.Get("fieldSelector")
	list := []Item{}
	all := c.items(t)
	if name, ok := strings.CutPrefix(fields, "metadata.name="); ok && validName.MatchString(name) && len(all) > 0 {
		one := *t
		one.name = name
		it, _ := c.item(&one) // as by its path: it may be one that the client made
		all, fields = []Item{it}, ""
	}
	for _, it := range all {
		if meets(labels, func(name string) (string, bool) { return label(it.Object, name) }) &&
			meets(fields, func(name string) (string, bool) { return at(it.Object, name), true }) {
			list = append(list, it)
		}
	}
	return list
}

// meets compares an object with a selector: "a=b,c!=d,e in (f,g),h,!i".
func meets(selector string, value func(name string) (string, bool)) bool {
	for _, part := range requirements(selector) {
		if !meetsOne(part, value) {
			return false
		}
	}
	return true
}

// requirements divides a selector at the commas outside of parentheses.
func requirements(selector string) []string {
	var list []string
	depth := 0
	for part := range strings.SplitSeq(selector, ",") {
		if depth > 0 {
			list[len(list)-1] += "," + part
		} else if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
		depth += strings.Count(part, "(") - strings.Count(part, ")")
	}
	return list
}

func meetsOne(part string, value func(name string) (string, bool)) bool {
	for _, sign := range []string{"!=", "==", "="} {
		if name, want, ok := strings.Cut(part, sign); ok {
			got, there := value(strings.TrimSpace(name))
			same := there && got == strings.TrimSpace(want)
			return same != (sign == "!=")
		}
	}
	words := strings.Fields(strings.NewReplacer("(", " ", ")", " ", ",", " ").Replace(part))
	switch {
	case len(words) > 2 && words[1] == "in":
		got, there := value(words[0])
		return there && slices.Contains(words[2:], got)
	case len(words) > 2 && words[1] == "notin":
		got, _ := value(words[0])
		return !slices.Contains(words[2:], got)
	case strings.HasPrefix(part, "!"):
		_, there := value(strings.TrimPrefix(part, "!"))
		return !there
	}
	_, there := value(part)
	return there
}

func label(o object, name string) (string, bool) {
	meta, _ := o["metadata"].(object)
	labels, _ := meta["labels"].(object)
	v, there := labels[name]
	return text(v), there
}

// at is the value at a path such as involvedObject.name.
func at(o object, path string) string {
	var v any = o
	for name := range strings.SplitSeq(path, ".") {
		inner, _ := v.(object)
		v = inner[name]
	}
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}
