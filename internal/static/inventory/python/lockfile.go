package python

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// lock has the packages of a lock file, by normalised name. A name can have
// several versions for different platforms.
type lock map[string][]*part.Part

// lockFiles are the lock files of one disk, of all tools.
type lockFiles struct {
	parts    *part.Collector
	disk     *disk.Disk
	projects *projects
	byDir    map[string][]lock
}

// known adds a note if the version of a lock file is not supported.
func (lf *lockFiles) known(file, version string, prefixes ...string) {
	for _, p := range prefixes {
		if strings.HasPrefix(version, p) {
			return
		}
	}
	lf.parts.Note(file, "lock file version %s is not known; what could be read of it was", part.Quote(version))
}

func (lf *lockFiles) nearest(dir string) locks {
	for at := dir; ; at = disk.Dir(at) {
		if l := lf.byDir[at]; len(l) > 0 {
			return l
		}
		if at == lf.disk.Root(dir) || at == "" {
			return nil
		}
	}
}

func (lf *lockFiles) read(file, base string, data []byte) {
	var l lock
	switch base {
	case "poetry.lock":
		l = lf.poetryLock(file, data)
	case "uv.lock":
		l = lf.uvLock(file, data)
	case "pdm.lock":
		l = lf.pdmLock(file, data)
	case "Pipfile.lock":
		l = lf.pipfileLock(file, data)
	default:
		l = lf.pylock(file, data)
	}
	dir := disk.Dir(file)
	lf.byDir[dir] = append(lf.byDir[dir], l)
}

// add adds a package of a lock file.
func (lf *lockFiles) add(l lock, p part.Part) *part.Part {
	p.Ecosystem, p.Name = mcpsf.EcosystemPyPI, normal(p.Name)
	out := lf.parts.Add(p)
	if out != nil && len(l[out.Name]) < part.MaxVersions {
		l[out.Name] = append(l[out.Name], out)
	}
	return out
}
