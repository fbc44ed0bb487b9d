package phrase

import (
	"fmt"
	"strings"
)

// MaxSubjects bounds the list in one block.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const MaxSubjects = 6

// OfTool names the tool of a call, "" for none.
func OfTool(tool string) string {
	if tool == "" {
		return ""
	}
	return "of " + tool
}

// MaxEvidence bounds the event numbers named in one finding.
// no gap: bounds what is shown; report.json and events.jsonl have everything
const MaxEvidence = 6

// Listed joins the first of a list and counts the rest.
func Listed(list []string, limit int) string {
	if len(list) <= limit {
		return strings.Join(list, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:limit], " "), len(list)-limit)
}

// NonNil returns s, or an empty list for nil, so that JSON has no null.
func NonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
