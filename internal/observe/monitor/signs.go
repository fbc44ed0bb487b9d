package monitor

import (
	"path"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// signs describe what a file's name reveals about the intent of an access, each
// in a few words or "".
type signs struct{ probe, privilege string }

// signsOf reads the names of an access. The target of a link is not written.
func signsOf(o *origin, t *touch, write bool) signs {
	var s signs
	f := &t.file
	for i, name := range []string{f.Path, f.Asked, f.To} {
		if !path.IsAbs(name) {
			continue
		}
		changed := write && (t.kind != mcpsf.KindFileLink || i == 2)
		if s.privilege == "" {
			s.privilege = privilegedPath(o, path.Clean(name), changed)
		}
		if s.probe == "" {
			s.probe = probedPath(path.Clean(name))
		}
	}
	if s.probe == "" {
		s.probe = probedProcess(o, f)
	}
	return s
}

// signal emits events for the signs, caused by the event with that number, and
// returns the number.
func (fs *files) signal(o *origin, t *touch, seq int64) int64 {
	if seq == 0 {
		return 0
	}
	if t.signs.privilege != "" {
		e := fs.log.base(o, mcpsf.KindPrivilegeAttempt)
		e.Cause = seq
		e.Privilege = &mcpsf.PrivilegeDetail{
			Syscall: strings.TrimPrefix(string(t.kind), "file."),
			What:    t.signs.privilege, Detail: t.file.Path, Error: t.file.Error,
		}
		fs.log.emit(&e)
	}
	if t.signs.probe != "" {
		e := fs.log.base(o, mcpsf.KindProbeSandbox)
		e.Cause = seq
		e.Probe = &mcpsf.ProbeDetail{What: t.signs.probe, Detail: t.file.Path}
		fs.log.emit(&e)
	}
	return seq
}

// procPath splits /proc/PID/what, where PID may also be self or thread-self.
func procPath(name string) (owner, what string, ok bool) {
	rest, ok := strings.CutPrefix(name, "/proc/")
	if !ok {
		return "", "", false
	}
	owner, what, ok = strings.Cut(rest, "/")
	return owner, what, ok
}

// own reports whether owner, the part after /proc/, is the process itself.
func (o *origin) own(owner string) bool {
	if owner == "self" || owner == "thread-self" {
		return true
	}
	n, err := strconv.ParseInt(owner, 10, 32)
	return err == nil && (int32(n) == o.pid || int32(n) == o.tid)
}
