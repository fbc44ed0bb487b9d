package mcpsf

import (
	"path"
	"strings"
)

// FakeProgramDir is the folder inside the sandbox with our fake programs: those
// that servers start and that the host does not have. It is where Ubuntu has
// programs of other vendors, and last in the search path there.
const FakeProgramDir = "/snap/bin"

// IsFakeProgram reports whether a program or script inside the sandbox is one of our
// fake programs. What it does by itself is not the server's doing.
func IsFakeProgram(name string) bool {
	return strings.HasPrefix(path.Clean(name), FakeProgramDir+"/")
}
