package plan

import (
	"strconv"
	"testing"
)

func TestStarts(t *testing.T) {
	type way struct{ candidate, n int }
	for _, tt := range []struct {
		name  string
		queue []way
		ran   bool
		want  int
	}{
		{"each is made once", []way{{0, 1}, {0, 1}, {0, 2}}, false, 2},
		{"what ends by itself is tried six times", []way{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}}, false, 6},
		{"what says nothing is tried twice", []way{{0, 1}, {0, 2}, {0, 3}}, true, 2},
		{"and leaves a turn to the next", []way{{0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 2}}, true, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var made Starts
			got := 0
			for _, w := range tt.queue {
				if made.Another(strconv.Itoa(w.candidate)+" "+strconv.Itoa(w.n), w.candidate) {
					got++
					made.Failed(w.candidate, tt.ran)
				}
			}
			if got != tt.want {
				t.Errorf("%d starts, want %d", got, tt.want)
			}
		})
	}
}
