package box

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The server's initial files are in the sandbox's memory, too: a big package
// must not reduce the memory that the server may use.
func TestCgroupLeavesRoomForFiles(t *testing.T) {
	limit := func(planted int64) int64 {
		g := newCgroups(fmt.Sprintf("%stest-%d-%d", groupPrefix, os.Getpid(), planted), DefaultLimits(), planted)
		if g == nil {
			t.Skip("no cgroups here")
		}
		defer func() {
			if err := g.remove(); err != nil {
				t.Error(err)
			}
		}()
		for _, name := range []string{"memory.max", "memory.limit_in_bytes"} {
			text, err := os.ReadFile(filepath.Join(g.group.MakePath("memory"), name))
			if err != nil {
				continue
			}
			n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		t.Skip("no limit of memory here")
		return 0
	}
	const files = 700 << 20
	if got := limit(files) - limit(0); got != files {
		t.Errorf("files of %d bytes raise the limit by %d", files, got)
	}
}
