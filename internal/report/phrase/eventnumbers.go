package phrase

import (
	"fmt"
)

// EventNumbers lists the first events of a finding and counts the rest.
func EventNumbers(seqs []int64) string {
	var numbers []string
	for _, seq := range seqs {
		numbers = append(numbers, fmt.Sprintf("#%d", seq))
	}
	return Listed(numbers, MaxEvidence)
}
