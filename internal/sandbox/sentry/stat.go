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

// lookups observes the calls that access a name without opening it.
type lookups struct {
	rec  *recorder
	attr *attribution
	env  *envReads
}

func (lo *lookups) calls() map[string]wrapper {
	calls := map[string]wrapper{}
	for _, name := range []string{"stat", "lstat", "access", "readlink"} {
		calls[name] = lo.look(name, -1, 0)
	}
	for _, name := range []string{"newfstatat", "statx", "faccessat", "faccessat2", "readlinkat"} {
		calls[name] = lo.look(name, 0, 1)
	}
	return calls
}

// look records the name in the call. These calls are the most frequent of all
// at start-up and reveal nothing of a file's content, so the name is not
// resolved: the monitor keeps only the few that matter.
func (lo *lookups) look(call string, dirfd, name int) wrapper {
	return func(next syscallFn) syscallFn {
		return func(t *kernel.Task, sysno uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
			asked, copyErr := t.CopyInString(args[name].Pointer(), linux.PATH_MAX)
			if variable, ok := lo.env.variableOf(call, asked); ok {
				lo.env.record(t, variable, args[name+1].Int() != 0)
				return 0, nil, linuxerr.ENOENT
			}
			if report, ok := lo.env.codeOf(call, asked); ok {
				lo.env.recordCode(t, report)
				return 0, nil, linuxerr.ENOENT
			}
			rval, ctrl, err := next(t, sysno, args)
			if copyErr != nil || asked == "" {
				return rval, ctrl, err // an fstat of a descriptor
			}
			if asked[0] != '/' {
				id, ok := resolveArgument(t, args, dirfd, name)
				if !ok {
					return rval, ctrl, err
				}
				asked = id.path
			}
			if uninteresting(asked) {
				return rval, ctrl, err
			}
			r := &lo.attr.state(t).scratch
			*r = wire.Record{Op: wire.OpStat, Text: call, Path: asked, Errno: errno(err, sysno)}
			lo.rec.emitFor(t, r)
			return rval, ctrl, err
		}
	}
}

// uninteresting reports names that programs look up by the hundred to find
// libraries; whether they exist means nothing. Hidden files are always
// interesting.
func uninteresting(name string) bool {
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
