package plan

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
)

// Deal distributes the attack calls over sandboxes, if there are enough to justify
// another start of the server. All calls of one tool go to one sandbox, in order.
func Deal(calls []attackplan.AttackCall, boxes int) [][]attackplan.AttackCall {
	const worthwhile = 300
	n := max(1, min(boxes, len(calls)/worthwhile))
	parts := make([][]attackplan.AttackCall, n)
	partOf := map[string]int{}
	for _, c := range calls {
		part, ok := partOf[c.Tool]
		if !ok { // to the sandbox with the fewest calls
			for i := range parts {
				if len(parts[i]) < len(parts[part]) {
					part = i
				}
			}
			partOf[c.Tool] = part
		}
		parts[part] = append(parts[part], c)
	}
	return slices.DeleteFunc(parts, func(p []attackplan.AttackCall) bool { return len(p) == 0 })
}
