package box

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// The variables have the same order each time, both from the runtime and from
// the kernel, and each has its own value.
func TestVariablesInOneOrder(t *testing.T) {
	t.Parallel()
	const program = "import os\n" +
		"given = [k + '=' + v for k, v in os.environ.items()]\n" +
		"kept = open('/proc/self/environ').read().split('\\0')[:-1]\n" +
		"print(given == kept, os.environ['ONE'], os.environ['LAST'], *os.environ)\n"
	first := ""
	for range 4 {
		r := inSandbox(t, mcpsf.RuntimePython, map[string]string{"server.py": program}, false, "python3", "server.py")
		if !strings.HasPrefix(r.out, "True first end ") {
			t.Fatalf("got %q, and on stderr %q", r.out, r.complaints)
		}
		if first == "" {
			first = r.out
		}
		if r.out != first {
			t.Errorf("another order:\n%s\n%s", first, r.out)
		}
	}
}
