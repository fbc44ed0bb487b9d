package programs

import (
	"strings"
)

// PassesOn knows the programs whose arguments are the command to run.
func PassesOn(name string) bool { return known().PassOn[name] || strings.HasPrefix(name, "ld-linux") }
