package launch

import (
	"path"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// Tools are pointed at what the user brought, else at samples and projects; a server
// that was given a folder keeps to it.
func TestInputs(t *testing.T) {
	t.Parallel()
	home, err := decoys.Mint(1, time.Unix(1700000000, 0))
	if err != nil {
		t.Fatal(err)
	}
	installed := &mcpsf.Artifact{Name: "godot-mcp", Install: &mcpsf.Install{}}
	v := Inputs(installed, nil, &home)
	godot := v.For("run").Pick("projectPath", "")
	if godot == v.Dir || newProjects().main(godot) == "" {
		t.Errorf("a server for Godot gets %s", godot)
	}
	if sheet := v.For("read").Pick("filepath", "The workbook"); sheet != v.Samples.File(".xlsx") || sheet == "" {
		t.Errorf("a workbook is %q", sheet)
	}

	v = Inputs(installed, []string{"--root=" + home.Places.Dir}, &home)
	if got := v.For("run").Pick("projectPath", ""); got != home.Places.Dir {
		t.Errorf("a server that keeps to %s gets %s", home.Places.Dir, got)
	}
	if table := v.For("sum_column").Pick("file", "The CSV file"); path.Dir(table) != home.Places.Dir || path.Ext(table) != ".csv" {
		t.Errorf("a table in %s is %q", home.Places.Dir, table)
	}
	v = Inputs(installed, []string{godot}, &home)
	if v.Dir != godot || v.File != newProjects().main(godot) {
		t.Errorf("a server that keeps to %s gets %s and %s", godot, v.Dir, v.File)
	}

	own := mcpsf.Home + "/plans/house.dxf"
	if err := home.Bring([]decoys.File{{Path: own}, {Path: mcpsf.Home + "/plans/notes/a.txt"}}); err != nil {
		t.Fatal(err)
	}
	v = Inputs(&mcpsf.Artifact{Name: "drawings", Install: &mcpsf.Install{}}, nil, &home)
	if v.Dir != mcpsf.Home+"/plans" || v.File != mcpsf.Home+"/plans/notes/a.txt" || v.Samples.File(".dxf") != own {
		t.Errorf("the user's files are not used: %s, %s, %s", v.Dir, v.File, v.Samples.File(".dxf"))
	}
}

func TestCommonDir(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		files []string
		want  string
	}{
		{nil, ""},
		{[]string{mcpsf.Home + "/a.txt"}, ""},
		{[]string{mcpsf.Home + "/x/a.txt"}, mcpsf.Home + "/x"},
		{[]string{mcpsf.Home + "/x/y/a.txt", mcpsf.Home + "/x/z/b.txt"}, mcpsf.Home + "/x"},
		{[]string{mcpsf.Home + "/x/a.txt", mcpsf.Home + "/y/b.txt"}, ""},
		{[]string{mcpsf.Home + "/.config/x/a.txt"}, ""},
	} {
		if got := commonDir(c.files); got != c.want {
			t.Errorf("%v: %q", c.files, got)
		}
	}
}
