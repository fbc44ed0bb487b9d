package explain

import (
	"fmt"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// A long list is shortened to folders, decoys keep their names, and folding
// terminates.
func TestFolded(t *testing.T) {
	list := func(n int, format string, kind mcpsf.AccessKind, planted string) []mcpsf.Access {
		var all []mcpsf.Access
		for i := range n {
			all = append(all, mcpsf.Access{Kind: kind, Name: fmt.Sprintf(format, i), Count: 1, Planted: planted})
		}
		return all
	}
	for _, tt := range []struct {
		name string
		list []mcpsf.Access
		want int
	}{
		{"few", list(maxNames, "/srv/%d", mcpsf.AccessRead, ""), maxNames},
		{"in one folder", list(maxNames+1, "/srv/%d", mcpsf.AccessRead, ""), 1},
		{"in many folders", list(maxNames+1, "/srv/%d/x", mcpsf.AccessRead, ""), 1},
		{"secrets", list(3*maxNames, "/home/dev/.%d/key", mcpsf.AccessRead, "ssh-key"), 3 * maxNames},
		{"pipes", list(3*maxNames, "pipe%d", mcpsf.AccessWrite, ""), 3 * maxNames},
		{"hosts", list(3*maxNames, "h%d.example:443", mcpsf.AccessHost, ""), 1},
		{"of the root", list(3*maxNames, "/%d", mcpsf.AccessRead, ""), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			total := len(tt.list)
			got := folded(tt.list)
			if len(got) != tt.want {
				t.Errorf("%d names, want %d", len(got), tt.want)
			}
			var count int64
			for _, a := range got {
				count += a.Count
			}
			if count != int64(total) {
				t.Errorf("%d of %d uses are told", count, total)
			}
		})
	}
}
