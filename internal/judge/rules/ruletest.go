package rules

import (
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// Tests returns the number of tests in the rule files.
func (s *Set) Tests() int {
	n := 0
	for _, r := range s.rules {
		n += len(r.Tests)
	}
	return n
}

// Test runs the tests in the rule files. It returns all failures in a
// [BrokenError].
func (s *Set) Test() error {
	var failures []error
	for _, r := range s.rules {
		r, err := r.Tested()
		if err != nil {
			failures = append(failures, err)
			continue
		}
		alone := &Set{rules: []*rulefile.Compiled{r}}
		for _, t := range r.Tests {
			if err := runTest(&t, alone); err != nil {
				failures = append(failures, fmt.Errorf("%s:%d: test %q: %w", r.File, t.Line, t.Name, err))
			}
		}
	}
	if len(failures) > 0 {
		return &BrokenError{failures}
	}
	return nil
}

func runTest(t *rulefile.Test, s *Set) error {
	judged, err := s.Evaluate(t.Events, t.Facts, t.Scope)
	if err != nil {
		return err
	}
	findings := judged.Findings
	n := len(findings)
	switch {
	case !t.Hit && n > 0:
		return fmt.Errorf("expected a miss, but: %s", findings[0].Message)
	case t.Hit && n == 0:
		return errors.New("expected a hit, but nothing was found")
	case t.Findings >= 0 && n != t.Findings:
		return fmt.Errorf("expected %d findings, got %d", t.Findings, n)
	}
	return nil
}
