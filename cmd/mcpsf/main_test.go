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

// asProgram makes the test binary act as mcpsf, so that tests can run the whole
// program as a process of its own.
const asProgram = "MCPSF_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	box.Dispatch() // the sandbox's processes run this binary, too
	if os.Getenv(asProgram) != "" || len(os.Args) > 1 && os.Args[1] == assesscmd.ReadSourceName {
		main() // it starts itself again, without its environment
	}
	flag.Parse()
	if err := overlap(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// overlap lets more tests run at the same time than there are processors,
// unless -parallel is given: tests that start programs or wait for limits need
// little processor time.
func overlap() error {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return nil
	}
	return flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
}
