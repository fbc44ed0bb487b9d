package evidence

import (
	"fmt"
	"slices"
)

// Status is the result of a check.
type Status string

// The results of a check. A note says what could not be checked, or a difference
// that is allowed.
const (
	StatusOK     Status = "ok"
	StatusFailed Status = "failed"
	StatusNote   Status = "note"
)

// Check is one thing that was checked. Text may quote what was verified and has
// to be escaped before it is shown.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Text   string `json:"text"`
}

// Result is the list of all checks.
type Result struct {
	Path   string  `json:"path"`
	Checks []Check `json:"checks"`
}

// OK reports whether no check failed.
func (r *Result) OK() bool { return r.Count(StatusFailed) == 0 }

// Count counts the checks with one result.
func (r *Result) Count(s Status) int {
	n := 0
	for _, c := range r.Checks {
		if c.Status == s {
			n++
		}
	}
	return n
}

// maxLines bounds the output of one check.
// no gap: a larger bundle is refused with an error
const maxLines = 20

func (r *Result) ok(name, format string, args ...any) {
	r.add(name, StatusOK, fmt.Sprintf(format, args...))
}

func (r *Result) fail(name, format string, args ...any) {
	r.add(name, StatusFailed, fmt.Sprintf(format, args...))
}

func (r *Result) note(name, format string, args ...any) {
	r.add(name, StatusNote, fmt.Sprintf(format, args...))
}

func (r *Result) add(name string, s Status, text string) {
	r.Checks = append(r.Checks, Check{Name: name, Status: s, Text: text})
}

// all adds a check with a list of problems, one per line, or without any.
func (r *Result) all(name string, s Status, problems []string, format string, args ...any) {
	if len(problems) == 0 {
		r.ok(name, format, args...)
		return
	}
	for _, p := range problems[:min(len(problems), maxLines)] {
		r.add(name, s, p)
	}
	if more := len(problems) - maxLines; more > 0 {
		r.add(name, s, fmt.Sprintf("and %d more", more))
	}
}

// failed reports whether a check of that name failed.
func (r *Result) failed(name string) bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Name == name && c.Status == StatusFailed })
}
