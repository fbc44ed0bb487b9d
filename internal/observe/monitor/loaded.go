package monitor

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxLoaded bounds the remembered directories.
// no gap: bounds which packages count as loaded
const maxLoaded = 20_000

// loads remembers in which directories of installed packages a file was opened
// while the server ran. The events count these as one tree, but the report also
// says which packages are in use.
func (fs *files) loads(o *origin, name string) {
	if o.phase == mcpsf.PhaseInstall || len(fs.loaded) >= maxLoaded {
		return
	}
	rest, ok := below(name, mcpsf.WorkDir)
	if !ok || rest == "" || packageTree(rest) == "" || describes(name) {
		return
	}
	place := path.Dir(name)
	switch path.Base(place) {
	case "node_modules", "site-packages", "dist-packages":
		place = name // a module that is one file
	}
	fs.loaded[place] = struct{}{}
}

// describes reports whether a file is read to find a package (such as
// package.json) rather than to use it.
func describes(name string) bool {
	return path.Base(name) == "package.json" || strings.HasSuffix(path.Dir(name), ".dist-info")
}
