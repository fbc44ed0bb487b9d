package toolset

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Change is one difference between two sets of tools.
type Change struct {
	Tool string `json:"tool"`
	// What is a clause: "has a new parameter \"depth\"".
	What string `json:"what"`
	// Wider is set if the tool can do more than before, or may.
	Wider bool `json:"wider,omitempty"`
	// Wording is set if only the wording changed.
	Wording bool `json:"wording,omitempty"`
}

// Compare returns the changes, by tool.
func Compare(old, now map[string]Tool) []Change {
	var all []Change
	names := slices.Collect(maps.Keys(old))
	names = slices.AppendSeq(names, maps.Keys(now))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		before, was := old[name]
		after, is := now[name]
		switch {
		case !was:
			all = append(all, Change{Tool: name, What: "is new", Wider: true})
		case !is:
			all = append(all, Change{Tool: name, What: "is gone"})
		default:
			all = append(all, compareTool(name, before, after)...)
		}
	}
	return all
}

func compareTool(name string, old, now Tool) []Change {
	var all []Change
	if old.Schema != now.Schema {
		all = compareParameters(old.Parameters, now.Parameters)
		if whole := len(old.Parameters) < maxParameters && len(now.Parameters) < maxParameters; len(all) == 0 || !whole {
			all = append(all, Change{What: "takes something else, deep in its schema", Wider: true})
		}
	}
	if old.Annotations != now.Annotations {
		all = append(all, Change{What: fmt.Sprintf("is annotated %s, was %s", orNothing(now.Annotations), orNothing(old.Annotations)), Wider: true})
	}
	if old.Words != now.Words {
		all = append(all, Change{What: "is described in other words", Wording: true})
	}
	for i := range all {
		all[i].Tool = name
	}
	return all
}

func orNothing(s string) string {
	if s == "" {
		return "with nothing"
	}
	return s
}

func compareParameters(old, now map[string]Parameter) []Change {
	var all []Change
	names := slices.Collect(maps.Keys(old))
	names = slices.AppendSeq(names, maps.Keys(now))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		before, was := old[name]
		after, is := now[name]
		switch {
		case !was && after.Required:
			all = append(all, Change{What: fmt.Sprintf("has a new required parameter %q", name), Wider: true})
		case !was:
			all = append(all, Change{What: fmt.Sprintf("has a new parameter %q", name), Wider: true})
		case !is:
			all = append(all, Change{What: fmt.Sprintf("lost the parameter %q", name)})
		default:
			all = append(all, compareParameter(name, before, after)...)
		}
	}
	return all
}

func compareParameter(name string, old, now Parameter) []Change {
	subject := fmt.Sprintf("its parameter %q", name)
	if name == "" {
		subject = "its input"
	}
	var all []Change
	if !slices.Equal(old.Types, now.Types) {
		all = append(all, Change{
			What:  fmt.Sprintf("%s is %s, was %s", subject, strings.Join(now.Types, " or "), strings.Join(old.Types, " or ")),
			Wider: !within(now.Types, old.Types),
		})
	}
	if old.Required != now.Required {
		all = append(all, Change{What: subject + map[bool]string{true: " is required now", false: " is not required any more"}[now.Required]})
	}
	keys := slices.Collect(maps.Keys(old.Limits))
	keys = slices.AppendSeq(keys, maps.Keys(now.Limits))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		before, was := old.Limits[key]
		after, is := now.Limits[key]
		if before != after || was != is {
			all = append(all, Change{What: limitChange(subject, key, before, after), Wider: looser(key, before, after, was, is)})
		}
	}
	return all
}

func limitChange(subject, key, before, after string) string {
	switch "" {
	case before:
		return fmt.Sprintf("%s has %s %s now", subject, key, after)
	case after:
		return fmt.Sprintf("%s has no %s any more, was %s", subject, key, before)
	}
	return fmt.Sprintf("%s has %s %s, was %s", subject, key, after, before)
}

// within tells whether every type is among others; integer counts as number.
func within(list, others []string) bool {
	if slices.Contains(others, "any") {
		return true
	}
	return !slices.ContainsFunc(list, func(t string) bool {
		return !slices.Contains(others, t) && (t != "integer" || !slices.Contains(others, "number"))
	})
}

// looser tells whether a changed keyword accepts more than before. Unclear cases
// count as looser.
func looser(key, before, after string, was, is bool) bool {
	switch {
	case key == "default":
		return false
	case key == "additionalProperties" || key == "unevaluatedProperties": // without it everything is accepted
		return was && before != "true" && after != "false"
	case !was:
		return key == "anyOf" || key == "oneOf" || key == "$ref" // they replace a type
	case !is:
		return true
	case key == "enum":
		return !subset(after, before)
	case strings.HasPrefix(key, "max") || key == "exclusiveMaximum":
		return !ordered(after, before)
	case strings.HasPrefix(key, "min") || key == "exclusiveMinimum":
		return !ordered(before, after)
	}
	return true
}

// ordered tells whether a and b are numbers and a is not above b.
func ordered(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x <= y
}

// subset tells whether every element of list a is in b.
func subset(a, b string) bool {
	var x, y []json.RawMessage
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return !slices.ContainsFunc(x, func(entry json.RawMessage) bool {
		return !slices.ContainsFunc(y, func(other json.RawMessage) bool { return string(other) == string(entry) })
	})
}
