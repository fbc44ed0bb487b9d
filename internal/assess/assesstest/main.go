//go:build linux

package assesstest

import (
	"flag"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/static/code"
)

// readSource is the argument with which the tests start themselves to read source.
const readSource = "read-source"

// Main runs the tests of a package that assesses servers. Its TestMain calls
// nothing else.
func Main(m *testing.M) {
	box.Dispatch() // this binary also starts the sandbox's processes
	if len(os.Args) > 1 && os.Args[1] == readSource {
		if err := code.Child(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	flag.Parse()
	if err := overlap(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// overlap runs one test more in parallel than there are processors, unless
// -parallel is set: a sandbox that starts or waits for a limit uses no
// processor. Other packages run beside it.
func overlap() error {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return nil
	}
	return flag.Set("test.parallel", strconv.Itoa(runtime.GOMAXPROCS(0)+1))
}

// SourceReader is the command that reads source in a process of its own: this
// test binary, see [Main].
func SourceReader(t *testing.T) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{self, readSource}
}

// Nightly says that tests may take long: in make nightly, not on every push.
func Nightly() bool { return os.Getenv("MCPSF_NIGHTLY") != "" }

// Sometimes skips a case that does not run on every push: it is similar to
// others, and each costs a sandbox.
func Sometimes(t *testing.T, name string, always ...string) {
	t.Helper()
	if !Nightly() && !slices.Contains(always, name) {
		t.Skip("one of many that are alike: make nightly")
	}
}

// environment returns a variable of the process that runs the tests.
func environment(name string) string { return os.Getenv(name) }

// userHome is the home of the user who runs the tests, which may configure
// registries. It is read before a test sets another.
var userHome = os.Getenv("HOME")
