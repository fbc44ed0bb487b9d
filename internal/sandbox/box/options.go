package box

import (
	"io"
	"time"

	"github.com/mcpsf/mcpsf"
)

// Limits of one run. Zero values take the defaults.
type Limits struct {
	Memory     int64 // bytes the target's processes may use
	CPUSeconds int64 // processor time of all its processes together
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

// File is something to plant in the sandbox before the server starts.
type File struct {
	Path    string
	Mode    uint32
	Content []byte
	// Link is where a symbolic link leads; Dir says that it is a directory.
	Link string
	Dir  bool
	// System files belong to root, all others to the user.
	System bool
}

// Export says what is handed out when the first process has ended.
type Export struct {
	// Dirs are directories inside the sandbox. Planted files outside the work
	// directory are left out.
	Dirs []string
	// Changed leaves out what was there when the first process began.
	Changed bool
	// Max bounds the archive's length.
	Max int64
	// To receives it, a tar archive with absolute names.
	To io.Writer
}

// Mount is a directory or file of the host as the sandbox shows it.
type Mount struct{ Source, Target string }

// Content is what the sandbox's file system begins with, beside the artifact and
// the host's system directories.
type Content struct {
	// Files are planted; directories above them are made.
	Files []File
	// Installed is an archive that [Export] wrote in an earlier sandbox. It
	// takes the place of the artifact's own directory.
	Installed string
	// Kept is such an archive, too, of what a server had left behind; it comes
	// on top of everything.
	Kept string
	// Mounts are shown read-only.
	Mounts []Mount
}

// Network says how the sandbox is connected. The zero value has the loopback
// interface and nothing else.
type Network struct {
	// Link gives the sandbox an interface whose other end is [Box.Link].
	Link bool
	// PortForward lets [Box.PortForward] connect to what listens in the sandbox.
	PortForward bool
	// Roots are certificates in PEM that programs of the sandbox are to trust,
	// beside the host's.
	Roots []byte
}

// Machine is what the target sees of the machine it believes to run on.
type Machine struct {
	// Seed decides what the machine is called and how old its files are.
	Seed uint64
	// Now is the time planted files claim to be a little older than.
	Now time.Time
	// Later is by how much the sandbox's date is ahead of the host's.
	Later time.Duration
}

// Observation says what is recorded beside the system calls.
type Observation struct {
	// Written is how many bytes of what is written to files are recorded.
	Written int64
	// EnvHooks makes Python and Node report which environment variables are
	// read.
	EnvHooks bool
	// Off runs without the observer's system call hooks. Benchmarks compare
	// against it; a report must never come from it.
	Off bool
}

// Engine are settings of gVisor.
type Engine struct {
	// Platform is gVisor's way to run user code: "systrap" by default.
	Platform string
	// DebugLog is a directory for gVisor's own logs, "" for none.
	DebugLog string
}

// Options of a run.
type Options struct {
	Artifact *mcpsf.Artifact
	// Run is where the run keeps its files on the host.
	Run *RunDir
	// Name tells this sandbox from others that the run has at the same time.
	Name   string
	Limits Limits
	// Interpreter is the program, as the sandbox shows it, that a command
	// beginning with node or python3 means; "" leaves such a command alone.
	Interpreter string
	// Linger is how long the first process is kept from exiting while others
	// run: the sandbox ends with it.
	Linger time.Duration
	// Export hands out what the first process left behind; nil does not.
	Export *Export

	Content     Content
	Network     Network
	Machine     Machine
	Observation Observation
	Engine      Engine
}
