package box

import (
	"errors"

	"github.com/mcpsf/mcpsf"
)

// ErrEnded says that the sandbox ended before it had handed out what it should.
var ErrEnded = errors.New("the sandbox ended before everything was handed out")

// StateDirs are the folders in which a server finds what an earlier start left.
func StateDirs() []string { return []string{mcpsf.Home, "/tmp", "/var/tmp"} }
