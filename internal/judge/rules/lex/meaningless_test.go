package lex

import "testing"

func TestMeaningless(t *testing.T) {
	for label, want := range map[string]bool{
		"6e706d5f39613837":                     true,
		"nbswy3dpeb3w64tmmq":                   true, // base32 of words
		"aGVsbG8gd29ybGQ":                      true,
		"a1b2c3":                               true,
		"1234567890123456":                     true,
		"550e8400-e29b-41d4-a716-446655440000": true, // a UUID counts as data
		"www":                                  false,
		"api":                                  false,
		"authentication-service":               false,
		"release-assets-production":            false,
		"ip-10-0-0-5":                          false,
		"us-east-1":                            false,
		"xn--mnchen-3ya":                       false,
		"s3":                                   false,
	} {
		if got := Meaningless(label); got != want {
			t.Errorf("meaningless(%q) = %v", label, got)
		}
	}
}
