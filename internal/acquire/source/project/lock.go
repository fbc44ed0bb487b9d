package project

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/lockfile"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
)

// obey adds the author's lock file to an installation. A project is installed with
// its versions. A published package is not: who installs it gets today's versions,
// and a lock file in it could name harmless ones for us alone. It counts only if the
// package does not start otherwise. (npm itself obeys the npm-shrinkwrap.json of a
// published package.)
func (p *Project) obey(in *mcpsf.Install) {
	name := lockFile(p, in)
	if name == "" {
		return
	}
	lock, err := readLock(p, name)
	switch {
	case errors.Is(err, lockfile.ErrEmpty):
		in.Locked = lockfile.IsNPM(name) && in.Package == ""
		return
	case err != nil && in.Package != "":
		return
	case err != nil:
		in.Lock = &mcpsf.Lock{File: name, Problem: err.Error()}
		return
	}
	in.Lock, in.Locked = lock, in.Package == ""
	lock.Members = slices.DeleteFunc(lock.Members, func(dir string) bool { return !isPackage(p.Tree, dir) })
	if in.Package != "" {
		lock.Members, lock.Alone = nil, false
		return
	}
	// Code of the project that runs when it is installed has to be seen.
	lock.Alone = (lock.Alone && !p.python.backend || p.python.noPackage && len(lock.Requires) > 0) && p.Tree.File("setup.py") == nil
}

// lockFile returns the lock file that counts, "" if there is none.
func lockFile(p *Project, in *mcpsf.Install) string {
	names := lockfile.Python()
	if in.Manager == mcpsf.ManagerNPM {
		names = lockfile.Node()
		if in.Package != "" { // npm obeys its own ones
			names = slices.DeleteFunc(names, lockfile.IsNPM)
		}
		slices.SortStableFunc(names, func(a, b string) int { return preferred(p.node.manager, b) - preferred(p.node.manager, a) })
	}
	for _, name := range names {
		if p.Tree.File(name) != nil && name != in.Requirements {
			return name
		}
	}
	return ""
}

// preferred is 1 for the lock file of the manager that package.json names.
func preferred(manager, file string) int {
	manager, _, _ = strings.Cut(manager, "@")
	if manager != "" && strings.HasPrefix(file, manager) {
		return 1
	}
	return 0
}

func readLock(p *Project, name string) (*mcpsf.Lock, error) {
	e := p.Tree.File(name)
	if e.Info.Size() > lockfile.MaxSize {
		return nil, lockfile.ErrSize
	}
	return lockfile.Read(name, p.Head(e, lockfile.MaxSize))
}

// isPackage reports whether a folder of the tree can be installed.
func isPackage(t *staging.Tree, dir string) bool {
	return t.File(path.Join(dir, "pyproject.toml")) != nil || t.File(path.Join(dir, "setup.py")) != nil
}

// lockOnly says how a project is installed of which only a lock file says what it
// needs, nil if there is none.
func lockOnly(p *Project) *mcpsf.Install {
	in := &mcpsf.Install{Manager: mcpsf.ManagerPip, Needs: p.python.needs}
	if p.node.name != "" {
		return nil
	}
	p.obey(in)
	if in.Lock != nil && in.Lock.Problem != "" {
		p.Tree.Notes.Add("%s was not used: %s", in.Lock.File, in.Lock.Problem)
	}
	if in.Lock == nil || len(in.Lock.Requires) == 0 {
		return nil
	}
	in.Lock.Alone, in.Lock.Only = true, true
	return in
}
