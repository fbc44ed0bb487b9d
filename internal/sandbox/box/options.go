package box

import (
	"io"
	"time"

	"github.com/mcpsf/mcpsf"
)

// Limits of one run. A zero value means the default.
type Limits struct {
	Memory     int64 // bytes the target's processes may use
	CPUSeconds int64 // total processor time of its processes
	CPUs       int   // processors it may use at once
	PIDs       int64 // processes and threads alive at once
	Files      int64 // open files per process
	Disk       int64 // bytes written to its file systems
}

// DefaultLimits are generous for a server and small for a laptop.
func DefaultLimits() Limits {
	return Limits{Memory: 1 << 30, CPUSeconds: 300, CPUs: 2, PIDs: 512, Files: 4096, Disk: 512 << 20}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	set := func(v *int64, fallback int64) {
		if *v <= 0 {
			*v = fallback
		}
	}
	set(&l.Memory, d.Memory)
	set(&l.CPUSeconds, d.CPUSeconds)
	set(&l.PIDs, d.PIDs)
	set(&l.Files, d.Files)
	set(&l.Disk, d.Disk)
	if l.CPUs <= 0 {
		l.CPUs = d.CPUs
	}
	return l
}

// File is a file to plant in the sandbox before the server starts.
type File struct {
	Path    string
	Mode    uint32
	Content []byte
	// Link is the target of a symbolic link; Dir says that it is a directory.
	Link string
	Dir  bool
	// System files belong to root, all others to the user.
	System bool
}

// Export configures what is exported when the first process has ended.
type Export struct {
	// Dirs are directories inside the sandbox. Planted files outside the work
	// directory are left out.
	Dirs []string
	// Changed omits what existed when the first process began.
	Changed bool
	// Max bounds the archive's length.
	Max int64
	// To receives the archive, a tar file with absolute names.
	To io.Writer
}

// Mount is a directory or file of the host and its path in the sandbox.
type Mount struct{ Source, Target string }

// Content is the initial file system of the sandbox, beside the artifact and
// the host's system directories.
type Content struct {
	// Files are planted; their parent directories are made.
	Files []File
	// Installed is an archive that [Export] wrote in an earlier sandbox. It
	// replaces the artifact's own directory.
	Installed string
	// Kept is another such archive, of files that a server had left behind; it
	// is unpacked last.
	Kept string
	// Mounts are mounted read-only.
	Mounts []Mount
	// Programs is a folder that is last in the search path, "" if none.
	Programs string
}

// Network configures the sandbox's network. The zero value has only the
// loopback interface.
type Network struct {
	// Link gives the sandbox an interface whose other end is [Box.Link].
	Link bool
	// PortForward lets [Box.PortForward] connect to listening servers in the
	// sandbox.
	PortForward bool
	// Local are ports of the machine itself on which the network behind the link
	// answers programs that find nobody there, [wire.MaxLocal] at most; see
	// [Box.ServeLocal].
	Local []uint16
	// Roots are PEM certificates that programs in the sandbox trust, beside the
	// host's.
	Roots []byte
}

// Machine is what the target sees of its machine.
type Machine struct {
	// Seed determines the machine's name and the age of its files.
	Seed uint64
	// Now is the time that planted files are made a little older than.
	Now time.Time
	// Later is how far the sandbox's date is ahead of the host's.
	Later time.Duration
}

// Own says which files in the sandbox are the server's own: those below Roots,
// except for what package managers installed there under names other than Names.
type Own struct{ Roots, Names []string }

// NodeScript is where Node finds the script that reports what code runs.
const NodeScript = "/etc/node/coverage.cjs"

// Observation configures what is recorded beside the system calls.
type Observation struct {
	// Written is how many bytes written to files are recorded.
	Written int64
	// EnvHooks makes Python and Node report which environment variables are
	// read.
	EnvHooks bool
	// Code makes them also report which code of the server runs; nil does not.
	// It needs EnvHooks.
	Code *Own
	// Off runs without the observer's system call hooks. Benchmarks compare
	// with it; a report must never come from it.
	Off bool
}

// Engine are settings of gVisor.
type Engine struct {
	// Platform is gVisor's platform: "systrap" by default.
	Platform string
	// DebugLog is a directory for gVisor's own logs, "" for none.
	DebugLog string
	// Freezable allows [Freeze]. Snapshot is what it returned: the sandbox is a copy of
	// that one, and all other options must be what that one had.
	Freezable bool
	Snapshot  *Snapshot
}

// Options of a run.
type Options struct {
	Artifact *mcpsf.Artifact
	// Run is the run's directory on the host.
	Run *RunDir
	// Name distinguishes this sandbox from others of the same run.
	Name   string
	Limits Limits
	// Interpreter is the path in the sandbox of the program that replaces node
	// or python3 at the beginning of a command; "" leaves such a command
	// unchanged.
	Interpreter string
	// Linger is how long the first process is kept from exiting while others
	// run: the sandbox ends with it.
	Linger time.Duration
	// Export configures the export of what the first process left behind; nil
	// exports nothing.
	Export *Export

	Content     Content
	Network     Network
	Machine     Machine
	Observation Observation
	Engine      Engine
}
