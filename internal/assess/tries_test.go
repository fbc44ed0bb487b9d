package assess

import (
	"strconv"
	"testing"
)

func TestTries(t *testing.T) {
	way := func(candidate, n int) *launch {
		return &launch{candidate: candidate, command: []string{"node", strconv.Itoa(candidate), strconv.Itoa(n)}}
	}
	for _, tt := range []struct {
		name  string
		queue []*launch
		ran   bool
		want  int
	}{
		{"each is made once", []*launch{way(0, 1), way(0, 1), way(0, 2)}, false, 2},
		{"what ends by itself is tried six times", []*launch{way(0, 1), way(0, 2), way(0, 3), way(0, 4), way(0, 5), way(0, 6), way(0, 7)}, false, 6},
		{"what says nothing is tried twice", []*launch{way(0, 1), way(0, 2), way(0, 3)}, true, 2},
		{"and leaves a turn to the next", []*launch{way(0, 1), way(0, 2), way(0, 3), way(1, 1), way(1, 2)}, true, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var made tries
			got := 0
			for _, l := range tt.queue {
				if made.another(l) {
					got++
					made.failed(l, tt.ran)
				}
			}
			if got != tt.want {
				t.Errorf("%d starts, want %d", got, tt.want)
			}
		})
	}
}
