package rules

import "testing"

func TestMeaningless(t *testing.T) {
	for label, want := range map[string]bool{
		"6e706d5f39613837":                     true,
		"nbswy3dpeb3w64tmmq":                   true, // base32 of words
		"aGVsbG8gd29ybGQ":                      true,
		"a1b2c3":                               true,
		"1234567890123456":                     true,
		"550e8400-e29b-41d4-a716-446655440000": true, // one is none too many
		"www":                                  false,
		"api":                                  false,
		"authentication-service":               false,
		"release-assets-production":            false,
		"ip-10-0-0-5":                          false,
		"us-east-1":                            false,
		"xn--mnchen-3ya":                       false,
		"s3":                                   false,
	} {
		if got := meaningless(label); got != want {
			t.Errorf("meaningless(%q) = %v", label, got)
		}
	}
}

func TestSteady(t *testing.T) {
	tests := []struct {
		name  string
		times []float64
		want  bool
	}{
		{"exact", []float64{0, 1, 2, 3}, true},
		{"with jitter", []float64{0, 1.2, 2.1, 3.3, 4.2}, true},
		{"one late", []float64{0, 1, 2, 3, 4, 5.6, 6.1, 7, 8}, true},
		{"too few", []float64{0, 1, 2}, false},
		{"too short", []float64{0, 0.1, 0.2, 0.3, 0.4}, false},
		{"in bursts", []float64{0, 0.1, 0.2, 5, 5.1, 5.2, 10}, false},
		{"none", nil, false},
	}
	for _, tt := range tests {
		if got := steady(tt.times); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
