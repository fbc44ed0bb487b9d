package main

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/assesscmd"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// asProgram makes the test binary be mcpsf itself, so that tests can run the
// whole program as a process of its own.
const asProgram = "MCPSF_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	box.Dispatch() // this binary is the sandbox's processes, too
	if os.Getenv(asProgram) != "" || len(os.Args) > 1 && os.Args[1] == assesscmd.ReadSourceName {
		main() // which starts itself again, without its environment
	}
	flag.Parse()
	if err := overlap(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// overlap lets more tests run at the same time than there are processors,
// unless -parallel says how many: a program that is started or waits for a limit
// leaves its processor to others.
func overlap() error {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return nil
	}
	return flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
}
