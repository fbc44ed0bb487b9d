//go:build linux

package sentry

import (
	"path"
	"strings"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Calls that look at a name without opening it.
func (o *observer) statCalls() map[string]wrapper {
	calls := map[string]wrapper{}
	for _, name := range []string{"stat", "lstat", "access", "readlink"} {
		calls[name] = o.look(name, -1, 0)
	}
	for _, name := range []string{"newfstatat", "statx", "faccessat", "faccessat2", "readlinkat"} {
		calls[name] = o.look(name, 0, 1)
	}
	return calls
}

// look records the name that was asked for. These calls are the most frequent
// of all at start-up and give away nothing of a file's content, so the name is
// not resolved: the monitor keeps only the few that tell something.
func (o *observer) look(call string, dirfd, name int) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			asked, copyErr := t.CopyInString(args[name].Pointer(), linux.PATH_MAX)
			if variable, ok := o.asksFor(call, asked); ok {
				o.reads(t, variable, args[name+1].Int() != 0)
				return 0, nil, linuxerr.ENOENT
			}
			rval, ctrl, err := next(t, sysno, args)
			if copyErr != nil || asked == "" {
				return rval, ctrl, err // fstat in another dress
			}
			if asked[0] != '/' {
				id, ok := o.named(t, args, dirfd, name)
				if !ok {
					return rval, ctrl, err
				}
				asked = id.path
			}
			if dull(asked) {
				return rval, ctrl, err
			}
			r := &o.state(t).scratch
			*r = wire.Record{Op: wire.OpStat, Text: call, Path: asked, Errno: errno(err, sysno)}
			o.emitFor(t, r)
			return rval, ctrl, err
		}
	}
}

// dull names are looked at by the hundred to find libraries, and whether one
// is there tells nobody anything. Hidden files are never dull.
func dull(name string) bool {
	if strings.HasPrefix(path.Base(name), ".") {
		return false
	}
	for _, tree := range []string{"/usr/lib", "/usr/local/lib", "/usr/share", "/lib", mcpsf.WorkDir} {
		if rest, ok := strings.CutPrefix(name, tree); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}
