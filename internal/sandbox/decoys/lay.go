package decoys

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Lay adds files to the home, each in place of one that is already there. A secret
// stays: a theft is recognised by it.
func (h *Home) Lay(files []File) error {
	laid := map[string]bool{}
	for _, f := range files {
		laid[f.Path] = true
		if path.Clean(f.Path) != f.Path || !strings.HasPrefix(f.Path, mcpsf.Home+"/") {
			return fmt.Errorf("%s is not a file below %s", f.Path, mcpsf.Home)
		}
	}
	for _, d := range h.Decoys {
		if d.Secret() && laid[d.Path] {
			return fmt.Errorf("%s is where a planted secret is; leave that file out", d.Path)
		}
	}
	h.Decoys = slices.DeleteFunc(h.Decoys, func(d mcpsf.Decoy) bool { return laid[d.Path] })
	h.Scenery = slices.DeleteFunc(h.Scenery, func(f File) bool { return laid[f.Path] })
	h.Scenery = append(h.Scenery, files...)
	return nil
}

// Bring lays files of the user's own, which tools are pointed at first.
func (h *Home) Bring(files []File) error {
	if err := h.Lay(files); err != nil {
		return err
	}
	for _, f := range files {
		h.Own = append(h.Own, f.Path)
	}
	return nil
}
