package history

import "testing"

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
