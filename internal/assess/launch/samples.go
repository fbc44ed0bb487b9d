package launch

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/sandbox/samples"
)

// sampleValues returns the files and projects for the tools of a server: the user's
// own first, then what lies in the folder that the tools work in, because many accept
// nothing else.
func sampleValues(server, dir string, home *decoys.Home, list projects) meaning.Samples {
	byEnding, contents := samples.ByEnding(), sync.OnceValue(samples.Contents)
	for _, d := range slices.Backward(home.Decoys) {
		if !d.Secret() && path.Dir(d.Path) == dir {
			byEnding[strings.ToLower(path.Ext(d.Path))] = d.Path
		}
	}
	for _, own := range slices.Backward(home.Own) {
		byEnding[strings.ToLower(path.Ext(own))] = own
	}
	return meaning.Samples{
		Server:  server,
		File:    func(ending string) string { return byEnding[ending] },
		Content: func(ending string) []byte { return contents()[ending] },
		Project: list.dir,
		Main:    list.main,
	}
}

// projects are those in the home.
type projects []samples.Project

func newProjects() projects {
	list, err := samples.Projects()
	if err != nil {
		return nil // they are embedded, and a test reads them
	}
	return list
}

// dir returns the folder of the project that one of the words names, or that has a
// file of that name. Of several the one that is called so is taken.
func (list projects) dir(words []string) string {
	for _, w := range words {
		at := slices.IndexFunc(list, func(p samples.Project) bool { return p.Name == w })
		if at < 0 {
			at = slices.IndexFunc(list, func(p samples.Project) bool {
				return slices.Contains(p.Words, w) || slices.ContainsFunc(p.Marks, func(mark string) bool { return strings.EqualFold(path.Base(mark), w) })
			})
		}
		if at >= 0 {
			return list[at].Dir
		}
	}
	return ""
}

// main returns the main file of the project in a folder, "" if there is none.
func (list projects) main(dir string) string {
	for _, p := range list {
		if p.Dir == dir {
			return p.Main
		}
	}
	return ""
}

// ownPlaces points tools at the folder and at a text of the user's own files, where
// these have one folder in common.
func ownPlaces(v meaning.Values, own []string) meaning.Values {
	dir := commonDir(own)
	if dir == "" {
		return v
	}
	v.Dir, v.NewFile = dir, path.Join(dir, "output.txt")
	v.File = own[0]
	for _, f := range own {
		if ext := path.Ext(f); ext == ".txt" || ext == ".md" {
			v.File = f
			break
		}
	}
	return v
}

// commonDir returns the folder that all files are in, "" if that is the home or a
// hidden one.
func commonDir(files []string) string {
	if len(files) == 0 {
		return ""
	}
	dir := path.Dir(files[0])
	for _, f := range files {
		for dir != mcpsf.Home && !strings.HasPrefix(f, dir+"/") {
			dir = path.Dir(dir)
		}
	}
	if dir == mcpsf.Home || strings.Contains(dir, "/.") {
		return ""
	}
	return dir
}
