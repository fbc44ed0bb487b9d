package phrase

import (
	"fmt"
)

func EventNumbers(seqs []int64) string {
	var numbers []string
	for _, seq := range seqs {
		numbers = append(numbers, fmt.Sprintf("#%d", seq))
	}
	return Listed(numbers, MaxEvidence)
}
