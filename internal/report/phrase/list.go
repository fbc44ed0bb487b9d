package phrase

import (
	"fmt"
	"strings"
)

// MaxSubjects bounds what one block lists.
const MaxSubjects = 6

// OfTool names the tool of a call, "" for none.
func OfTool(tool string) string {
	if tool == "" {
		return ""
	}
	return "of " + tool
}

// MaxEvidence bounds the event numbers named in one finding.
const MaxEvidence = 6

// Listed joins the first of a list and counts the rest.
func Listed(list []string, limit int) string {
	if len(list) <= limit {
		return strings.Join(list, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:limit], " "), len(list)-limit)
}

// NonNil is s, or an empty list for nil: JSON has no null there.
func NonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
