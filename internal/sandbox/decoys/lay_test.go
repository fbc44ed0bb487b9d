package decoys_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// What the user brings is there instead of what was, but no secret is replaced.
func TestBring(t *testing.T) {
	t.Parallel()
	home, err := decoys.Mint(1, time.Unix(1700000000, 0))
	if err != nil {
		t.Fatal(err)
	}
	before := len(home.Decoys)
	own := []decoys.File{{Path: mcpsf.Home + "/Documents/todo.txt", Mode: 0o644, Content: []byte("mine")}, {Path: mcpsf.Home + "/.bashrc", Content: []byte("# mine")}}
	if err := home.Bring(own); err != nil {
		t.Fatal(err)
	}
	if len(home.Decoys) != before-1 || len(home.Own) != 2 {
		t.Errorf("%d decoys of %d are left, %d files are the user's", len(home.Decoys), before, len(home.Own))
	}
	for _, f := range own {
		same := func(s decoys.File) bool { return s.Path == f.Path }
		if i := slices.IndexFunc(home.Scenery, same); i < 0 || string(home.Scenery[i].Content) != string(f.Content) || slices.ContainsFunc(home.Scenery[i+1:], same) {
			t.Errorf("%s is not once there as it was brought", f.Path)
		}
	}
	for _, path := range []string{mcpsf.Home + "/.ssh/id_rsa", "/etc/passwd", mcpsf.Home + "/../x", mcpsf.Home + "/a//b"} {
		if err := home.Bring([]decoys.File{{Path: path}}); err == nil {
			t.Errorf("%s was laid", path)
		}
	}
}
