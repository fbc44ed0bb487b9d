package main

import (
	"fmt"
	"slices"
	"strings"
)

// changes says in words what differs between two results. A score within the
// same band, and with the same findings, is told, too: something counts that did
// not.
func changes(before, after *result) []string {
	var list []string
	step := func(what string, old, now any) {
		if old != now {
			list = append(list, strings.TrimSpace(fmt.Sprintf("%s %v → %v", what, old, now)))
		}
	}
	if (before.Error == "") != (after.Error == "") {
		step("error", said(before.Error), said(after.Error))
	}
	step("", before.Band, after.Band)
	step("score", before.Score, after.Score)
	step("confidence", before.Confidence, after.Confidence)
	if before.Confidence != after.Confidence {
		for _, reason := range after.Reasons {
			if !slices.Contains(before.Reasons, reason) {
				list = append(list, "because "+reason)
				break
			}
		}
	}
	step("exit", before.Exit, after.Exit)
	list = append(list, signed("new", names(after), names(before))...)
	return append(list, signed("gone", names(before), names(after))...)
}

func said(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// names are the findings above LOW, each rule and tool once.
func names(r *result) []string {
	var list []string
	for _, f := range r.Findings {
		name := f.ID + " (" + string(f.Severity)
		if f.Tool != "" {
			name += ", " + f.Tool
		}
		list = append(list, name+")")
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// signed names what list has and others has not.
func signed(word string, list, others []string) []string {
	var out []string
	for _, name := range list {
		if !slices.Contains(others, name) {
			out = append(out, word+" "+name)
		}
	}
	return out
}
