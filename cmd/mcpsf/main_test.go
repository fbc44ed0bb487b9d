package main

import (
	"os"
	"testing"

	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// asProgram makes the test binary be mcpsf itself, so that tests can run the
// whole program as a process of its own.
const asProgram = "MCPSF_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	box.Dispatch() // this binary is the sandbox's processes, too
	if os.Getenv(asProgram) != "" || len(os.Args) > 1 && os.Args[1] == readSource {
		main() // which starts itself again, without its environment
	}
	os.Exit(m.Run())
}
