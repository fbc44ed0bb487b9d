package launch

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/entry"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// Inputs returns values with which calls can succeed: the directory the user
// gave the server if there is one, else its own, and a file that exists in it. A
// repository and a database are those of the decoy home: its own folder is none.
func Inputs(a *mcpsf.Artifact, given []string, home *decoys.Home) meaning.Values {
	list := newProjects()
	v, ok := givenPlaces(given, home, list)
	if !ok {
		v = ownPlaces(places(a, home), home.Own)
	}
	v.Samples = sampleValues(a.Name, v.Dir, home, list)
	v.Samples.DatabaseHost = "db." + home.ServiceDomain
	if ok {
		v.Samples.Project, v.Samples.Main = nil, nil // the server keeps to what it was given
	}
	return v
}

// givenPlaces returns the folder that the server was started with, and a file in it.
func givenPlaces(given []string, home *decoys.Home, list projects) (meaning.Values, bool) {
	v := meaning.Values{RepoDir: home.Places.Repo, Database: home.Places.Database}
	for _, arg := range given {
		if _, value, ok := strings.Cut(arg, "="); ok {
			arg = value
		}
		if arg = path.Clean(arg); !strings.HasPrefix(arg, mcpsf.Home) {
			continue
		}
		if main := list.main(arg); main != "" {
			v.Dir, v.File, v.NewFile = arg, main, path.Join(arg, "output.txt")
			return v, true
		}
		for _, d := range home.Decoys {
			if !d.Secret() && strings.HasPrefix(d.Path, arg+"/") && !strings.Contains(d.Path, "/.git/") {
				v.Dir, v.File, v.NewFile = arg, d.Path, path.Join(path.Dir(d.Path), "output.txt")
				return v, true
			}
		}
	}
	return v, false
}

// places returns the places for a server that was given none.
func places(a *mcpsf.Artifact, home *decoys.Home) meaning.Values {
	if a.Dir == "" || a.Install != nil {
		p := Places(home)
		return meaning.Values{Dir: p.Dir, File: p.File, NewFile: p.NewFile, RepoDir: p.Repo, Database: p.Database}
	}
	return meaning.Values{Dir: mcpsf.WorkDir, File: ownFile(a), RepoDir: home.Places.Repo, Database: home.Places.Database}
}

// ownFile returns a file of the server's own that a tool may read.
func ownFile(a *mcpsf.Artifact) string {
	for _, pattern := range []string{"README*", "*.md", "*.txt", "package.json", "pyproject.toml", "*.json", "*"} {
		found, _ := filepath.Glob(filepath.Join(a.Dir, pattern))
		for _, name := range found {
			if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
				return path.Join(mcpsf.WorkDir, filepath.Base(name))
			}
		}
	}
	return ""
}

// Places are the files and directories that arguments of a server can name.
func Places(home *decoys.Home) entry.Places {
	p := home.Places
	return entry.Places{Dir: p.Dir, File: p.File, NewFile: p.NewFile, Repo: p.Repo, Database: p.Database, Project: newProjects().dir}
}
