package attack

import (
	"strings"
)

// Standing is what a program takes one of its arguments for.
type Standing string

// The standings. What follows an option may be its value: only the program
// knows.
const (
	StandsNot      Standing = ""
	StandsAsValue  Standing = "value"
	StandsPerhaps  Standing = "perhaps"
	StandsAsOption Standing = "option"
)

// Stands says what the program whose argument vector it is takes the marker of
// a payload with [mcpsf.SignArgument] for. Behind "--" nothing is an option.
func Stands(args []string, marker string) Standing {
	best := StandsNot
	for i, a := range args {
		switch {
		case i == 0:
			continue
		case a == marker && i > 1 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "="):
			best = StandsPerhaps
		case a == marker:
			return StandsAsOption
		case a == "--" || a == "--end-of-options":
			for _, rest := range args[i+1:] {
				if rest == marker && best == StandsNot {
					best = StandsAsValue
				}
			}
			return best
		}
	}
	return best
}
