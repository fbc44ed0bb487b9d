//go:build linux

package sentry

import (
	"errors"
	"io"
	"path"
	"strings"

	"gvisor.dev/gvisor/pkg/abi/linux"
	"gvisor.dev/gvisor/pkg/context"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
	"gvisor.dev/gvisor/pkg/fspath"
	"gvisor.dev/gvisor/pkg/sentry/arch"
	"gvisor.dev/gvisor/pkg/sentry/kernel"
	"gvisor.dev/gvisor/pkg/sentry/kernel/auth"
	"gvisor.dev/gvisor/pkg/sentry/vfs"
	"gvisor.dev/gvisor/pkg/usermem"

	"github.com/mcpsf/mcpsf/internal/sandbox/envhook"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Reading a variable needs no system call, so the runtimes are made to make
// one. Where that does not work the program runs as ever and its reads are not
// told.

// readsStage is how far a process is. A fork leaves it at zero: it has what
// its parent had.
type readsStage uint8

const (
	_ readsStage = iota
	// readsFresh is a program that has just been started.
	readsFresh
	// readsSource is a Python that was told to compile the carrier.
	readsSource
	// readsTold is one that tells.
	readsTold
)

// maxVariable is how much of a variable's name is told.
const maxVariable = 1024

// asksFor returns the name of the variable that a call is about, if it is one
// of those that Python makes.
func (o *observer) asksFor(call, asked string) (string, bool) {
	if o.conf.Hooks == nil || !strings.HasPrefix(call, "access") && !strings.HasPrefix(call, "faccess") {
		return "", false
	}
	return strings.CutPrefix(asked, o.conf.Hooks.Prefix)
}

// asks is the system call that Node makes. It answers like one that does not
// exist.
func (o *observer) asks(t *kernel.Task, _ uintptr, args arch.SyscallArguments) (uintptr, *kernel.SyscallControl, error) {
	name, err := t.CopyInString(args[0].Pointer(), maxVariable)
	if err == nil || linuxerr.Equals(linuxerr.ENAMETOOLONG, err) {
		o.reads(t, name, false)
	}
	return 0, nil, linuxerr.ENOSYS
}

func (o *observer) reads(t *kernel.Task, name string, all bool) {
	r := &o.state(t).scratch
	*r = wire.Record{Op: wire.OpEnv, Text: name[:min(len(name), maxVariable)]}
	if all {
		r.Flags, r.Text = wire.FlagAll, ""
	}
	o.emitFor(t, r)
}

// tells notes that the process tells of its reads from now on.
func (o *observer) tells(t *kernel.Task) {
	o.state(t).reads = readsTold
	o.emitFor(t, &wire.Record{Op: wire.OpEnv, Flags: wire.FlagCreated})
}

// carries reports whether the file that is being opened is to be read with the
// hook behind it. An error is what the program is told instead: that there is
// no compiled version, and that it may not write one.
func (o *observer) carries(t *kernel.Task, p *place) (bool, error) {
	if o.conf.Hooks == nil {
		return false, nil
	}
	what, source := envhook.Recognise(p.asked)
	s := o.state(t)
	switch {
	case what == envhook.Compiled && s.reads == readsFresh && isPython(o.program(t)) && o.exists(t, source):
		s.reads = readsSource
		return false, linuxerr.ENOENT
	case what == envhook.Source && s.reads == readsSource:
		return true, nil
	case what == envhook.Compiling && s.reads == readsTold:
		s.reads = 0 // once: later it is the program's own affair
		return false, linuxerr.EACCES
	}
	return false, nil
}

// program is the path of what the process runs.
func (o *observer) program(t *kernel.Task) string {
	mm := t.MemoryManager()
	if mm == nil {
		return ""
	}
	exe := mm.Executable()
	if exe == nil {
		return ""
	}
	defer exe.DecRef(t)
	return o.pathOf(t, exe.VirtualDentry())
}

func isPython(program string) bool { return strings.HasPrefix(path.Base(program), "python") }

func (o *observer) exists(t *kernel.Task, name string) bool {
	root := t.FSContext().RootDirectory()
	defer root.DecRef(t)
	_, err := t.Kernel().VFS().StatAt(t, t.Credentials(), &vfs.PathOperation{
		Root: root, Start: root, Path: fspath.Parse(name), FollowFinalSymlink: true,
	}, &vfs.StatOptions{Mask: linux.STATX_TYPE})
	return err == nil
}

// longerFile is an open file that has more to read than there is in it.
type longerFile struct {
	vfs.FileDescriptionImpl // of inner

	vfsfd vfs.FileDescription
	inner *vfs.FileDescription
	rest  []byte
}

var _ vfs.FileDescriptionImpl = (*longerFile)(nil)

// longer takes over the source of the carrier and returns it with the hook
// behind it.
func (o *observer) longer(t *kernel.Task, file *vfs.FileDescription) (*vfs.FileDescription, error) {
	l := &longerFile{FileDescriptionImpl: file.Impl(), inner: file, rest: []byte(o.conf.Hooks.Python())}
	err := l.vfsfd.Init(l, file.StatusFlags(), auth.CredentialsFromContext(t), file.Mount(), file.Dentry(), &vfs.FileDescriptionOptions{})
	if err != nil {
		file.DecRef(t)
		return nil, err
	}
	o.tells(t)
	return &l.vfsfd, nil
}

// Release implements [vfs.FileDescriptionImpl].
func (l *longerFile) Release(ctx context.Context) { l.inner.DecRef(ctx) }

// Read implements [vfs.FileDescriptionImpl]. Only the interpreter reads this
// file, on one thread.
func (l *longerFile) Read(ctx context.Context, dst usermem.IOSequence, opts vfs.ReadOptions) (int64, error) {
	n, err := l.FileDescriptionImpl.Read(ctx, dst, opts)
	if n > 0 || err != nil && !errors.Is(err, io.EOF) || len(l.rest) == 0 {
		return n, err
	}
	copied, err := dst.CopyOut(ctx, l.rest)
	l.rest = l.rest[copied:]
	return int64(copied), err
}
