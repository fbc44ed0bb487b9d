package llm

import (
	"encoding/json"
)

// check rejects asks that no provider accepts, before a request is paid for.
func check(a *Ask) error {
	if len(a.Turns) == 0 || a.Turns[0].Role != User || a.Turns[len(a.Turns)-1].Role != User {
		return failf(KindAsk, "a conversation begins and ends with a turn of the user")
	}
	for i, t := range a.Tools {
		if len(t.Schema) > 0 && !json.Valid(t.Schema) {
			return failf(KindAsk, "the schema of tool %d, %q, is no JSON", i+1, clean(t.Name))
		}
	}
	var open []Call
	for i, t := range a.Turns {
		switch {
		case t.Role != User && t.Role != Assistant:
			return failf(KindAsk, "turn %d is of nobody: role %q", i+1, clean(string(t.Role)))
		case t.Role == User && len(t.Calls) > 0 || t.Role == Assistant && len(t.Results) > 0:
			return failf(KindAsk, "turn %d: the assistant calls, the user has the results", i+1)
		}
		if err := answered(i, open, t); err != nil {
			return err
		}
		open = t.Calls
		for _, c := range open {
			if len(c.Arguments) > 0 && !json.Valid(c.Arguments) {
				return failf(KindAsk, "turn %d: the arguments of %q are no JSON", i+1, clean(c.Name))
			}
		}
	}
	return nil
}

// answered requires one result in a turn for each call of the turn before.
func answered(i int, calls []Call, t Turn) error {
	if len(calls) != len(t.Results) {
		return failf(KindAsk, "turn %d: %d results for %d calls", i+1, len(t.Results), len(calls))
	}
	for _, c := range calls {
		n := 0
		for _, r := range t.Results {
			if r.CallID == c.ID {
				n++
			}
		}
		if n != 1 {
			return failf(KindAsk, "turn %d: %d results for the call %q of %q", i+1, n, clean(c.ID), clean(c.Name))
		}
	}
	return nil
}
