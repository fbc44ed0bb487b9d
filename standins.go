package mcpsf

import (
	"path"
	"strings"
)

// StandInDir is the folder inside the sandbox with our stand-ins for programs
// that servers start and that the host does not have. It is where Ubuntu has
// programs of other vendors, and last in the search path there.
const StandInDir = "/snap/bin"

// IsStandIn reports whether a program or script inside the sandbox is one of our
// stand-ins. What it does by itself is not the server's doing.
func IsStandIn(name string) bool {
	return strings.HasPrefix(path.Clean(name), StandInDir+"/")
}
