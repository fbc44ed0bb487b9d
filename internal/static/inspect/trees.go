package inspect

import (
	"io/fs"
	"path"
	"strings"
)

// dependencyTrees shows only the directories of package managers in the
// installed tree. The server's own files are there a second time; they are read
// where they were published.
type dependencyTrees struct {
	fs.FS
	own fs.FS
	// name is the name of the server's package.
	name string
}

var (
	_ fs.ReadDirFS  = (*dependencyTrees)(nil)
	_ fs.ReadLinkFS = (*dependencyTrees)(nil)
)

// ReadLink implements [fs.ReadLinkFS].
func (d *dependencyTrees) ReadLink(name string) (string, error) { return fs.ReadLink(d.FS, name) }

// Lstat implements [fs.ReadLinkFS].
func (d *dependencyTrees) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(d.FS, name) }

// ReadDir implements [fs.ReadDirFS].
func (d *dependencyTrees) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(d.FS, name)
	if err != nil {
		return nil, err
	}
	list := make([]fs.DirEntry, 0, len(all))
	for _, e := range all {
		if e.IsDir() || d.shows(path.Join(name, e.Name())) {
			list = append(list, e)
		}
	}
	return list, nil
}

// shows reports whether a file belongs to a dependency.
func (d *dependencyTrees) shows(file string) bool {
	tail, ok := packaged(file)
	if !ok {
		return false
	}
	if path.Base(file) == "package.json" || strings.Contains(file, ".dist-info/") {
		return true // lists the server's packages
	}
	if rest, ok := strings.CutPrefix(tail, d.name+"/"); ok && d.published(rest) {
		return false
	}
	return !d.published(tail)
}

func (d *dependencyTrees) published(file string) bool {
	info, err := fs.Stat(d.own, file)
	return err == nil && !info.IsDir()
}

// packaged returns the path of a file in the innermost folder of a package
// manager.
func packaged(file string) (tail string, ok bool) {
	for _, folder := range []string{"node_modules/", "site-packages/", "dist-packages/"} {
		i := strings.LastIndex("/"+file, "/"+folder)
		if i >= 0 && (!ok || len(file)-i-len(folder) < len(tail)) {
			tail, ok = file[i+len(folder):], true
		}
	}
	return tail, ok
}
