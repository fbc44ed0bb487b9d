package services

import "testing"

func TestSegmentedPath(t *testing.T) {
	for target, want := range map[string]string{
		"/v1/flags/a%2Fb/state?x=%2F": "/v1/flags/a%2Fb/state",
		"/v1/flags/a%20b%2fc":         "/v1/flags/a b%2Fc",
		"/v1/flags/ab":                "/v1/flags/ab",
		"*":                           "*",
	} {
		path := want
		if got := segmented(&Request{Target: target, Path: path}); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
}
