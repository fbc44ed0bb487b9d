package interpreter

import (
	"path/filepath"
	"syscall"
	"testing"
)

// Opening a pipe blocks until its other end is opened.
func TestPipeInPath(t *testing.T) {
	root := host(t, "bin/python3*", "v20/bin/node*="+nodeMark("20.1.0"), "v20/include/node/node.h")
	for _, name := range []string{"bin/node", "v20/include/node/node_version.h"} {
		if err := syscall.Mkfifo(filepath.Join(root, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	list, _ := (&machine{}).search(node, root+"/bin:"+root+"/v20/bin")
	if len(list) != 1 || list[0].Version != "20.1.0" {
		t.Errorf("found %+v", list)
	}
}
