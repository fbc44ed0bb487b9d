package project

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
)

// A file of the package is started where npm has put it.
func TestInstalledCommand(t *testing.T) {
	file, dir := fstest.MapFS{"d/f": {}}, "d"
	info, err := file.Stat("d/f")
	if err != nil {
		t.Fatal(err)
	}
	above, err := file.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	tree := staging.NewTree()
	tree.ByPath["dist"] = &staging.Entry{Path: "dist", Info: above}
	tree.ByPath["dist/stdio.js"] = &staging.Entry{Path: "dist/stdio.js", Info: info}
	at := placeOf(&mcpsf.Artifact{Name: "@a/b", Install: &mcpsf.Install{Manager: mcpsf.ManagerNPM, Package: "b.tgz"}})
	got := at.command([]string{"node", mcpsf.WorkDir + "/dist/stdio.js", "dist/stdio.js", mcpsf.WorkDir + "/other"}, tree)
	want := []string{"node", mcpsf.WorkDir + "/node_modules/@a/b/dist/stdio.js", "node_modules/@a/b/dist/stdio.js", mcpsf.WorkDir + "/other"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
