package plan

import (
	"fmt"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
)

func TestDeal(t *testing.T) {
	var calls []attackplan.AttackCall
	for i := range 1000 {
		calls = append(calls, attackplan.AttackCall{Tool: fmt.Sprint("tool", i%7)})
	}
	partOf, total := map[string]int{}, 0
	parts := Deal(calls, 3)
	for n, part := range parts {
		total += len(part)
		for _, c := range part {
			if other, ok := partOf[c.Tool]; ok && other != n {
				t.Fatalf("%s is attacked in two sandboxes", c.Tool)
			}
			partOf[c.Tool] = n
		}
	}
	if len(parts) != 3 || total != len(calls) {
		t.Errorf("%d parts with %d calls", len(parts), total)
	}
	if few := Deal(calls[:10], 3); len(few) != 1 {
		t.Errorf("ten calls are dealt out over %d sandboxes", len(few))
	}
}
