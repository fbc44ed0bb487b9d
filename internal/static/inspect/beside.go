package inspect

import (
	"io/fs"
	"slices"
	"strings"
)

// installedDir is the name of the installed tree beside the package's own
// files. No package has a reason to use it.
const installedDir = ".installed"

// beside shows two trees as one: the package's files, and the installed ones
// under installedDir.
type beside struct{ own, installed fs.FS }

var _ fs.ReadDirFS = beside{}

// Open implements [fs.FS].
func (b beside) Open(name string) (fs.File, error) {
	if name == installedDir {
		return b.installed.Open(".")
	}
	if rest, ok := strings.CutPrefix(name, installedDir+"/"); ok {
		return b.installed.Open(rest)
	}
	return b.own.Open(name)
}

// ReadDir implements [fs.ReadDirFS].
func (b beside) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == installedDir {
		return fs.ReadDir(b.installed, ".")
	}
	if rest, ok := strings.CutPrefix(name, installedDir+"/"); ok {
		return fs.ReadDir(b.installed, rest)
	}
	list, err := fs.ReadDir(b.own, name)
	if err != nil || name != "." {
		return list, err
	}
	info, err := fs.Stat(b.installed, ".")
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(e fs.DirEntry) bool { return e.Name() == installedDir })
	return append(list, named{fs.FileInfoToDirEntry(info)}), nil
}

// named renames the top of the installed tree.
type named struct{ fs.DirEntry }

func (named) Name() string { return installedDir }
