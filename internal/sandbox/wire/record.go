// Package wire is the protocol between the observer inside the sandbox's kernel
// and the monitor outside: the record, its encoding, and the ring in shared
// memory that carries it.
//
// The writing side runs inside gVisor's kernel; the reading side treats every
// byte as hostile. Both ends are the same binary, so there is no versioning.
package wire

// Op is the operation that a [Record] reports.
type Op uint8

// The operations. The comment names the fields that are used beside the common
// ones (Seq, Nanos, PID, TID, Epoch); Errno applies to all that can fail.
const (
	_ Op = iota
	// OpHello is the first record, before the target runs. Text.
	OpHello
	// OpStart is the first process of the sandbox. Path, Args.
	OpStart
	// OpFork is a new task, recorded by its parent before the child runs.
	// Child, ChildPID (differs from the parent's PID unless Thread).
	OpFork
	// OpExec is a program image replaced or an attempt at it. Path is what runs
	// after links and #! were followed, Asked the path in the call; Args;
	// FlagMemory if the image is a memfd or a deleted file; Addr and Port are
	// the peer of a connection that is one of its standard streams. N is the
	// number of its environment variables, as in OpStart.
	OpExec
	// OpExit is the end of a task. FlagThread if the process lives on;
	// N is the exit code, Num the signal.
	OpExit
	// OpName is a task renaming itself. Text.
	OpName

	// OpOpen: Path (true path), Asked (as given, if different), Num (the
	// kernel's open flags), Mode, File, Dev, Ino, FlagDir, FlagCreated. With
	// Errno set, Path is the best resolution of Asked.
	OpOpen
	// OpRead and OpWrite: File, N bytes. FlagMapped for mmap: then N is the
	// length of the mapping. A File without an earlier OpOpen comes with Path,
	// Dev and Ino in the record that first uses it.
	OpRead
	OpWrite
	// OpTruncate: Path, N is the new length.
	OpTruncate
	// OpDelete: Path, Dev, Ino, FlagDir.
	OpDelete
	// OpRename: Path, To, Dev, Ino of the renamed file, FlagDir.
	OpRename
	// OpLink: Path is the target of the new name To; FlagSymlink. Dev, Ino are
	// those of the new name (a hard link shares them with Path).
	OpLink
	// OpChmod: Path, Mode; Text is "chmod", "chown", "utimes" or "setxattr".
	OpChmod
	// OpCreate: Path, Mode, Text is "mkdir" or "mknod".
	OpCreate
	// OpStat: Path, accessed without opening. Text is the system call, or
	// "planted" for a planted file, reported with Dev and Ino before the start.
	OpStat

	// OpConnect, OpListen and OpSend: Family, SockType, Addr, Port, and Local,
	// the port on this side. OpSend is a datagram to a named address.
	OpConnect
	OpListen
	OpSend
	// OpTransmit comes before the first bytes that a task sends on a
	// connection, and again when another task or another call does. The same
	// fields.
	OpTransmit

	// OpPrivilege is an attempt to gain rights or to escape. Text is the system
	// call, Asked the detail ("type=tmpfs target=/mnt").
	OpPrivilege
	// OpProbe is a system call whose only use is to detect the environment.
	// Text says what, Asked the detail.
	OpProbe

	// OpStdio is the server's side of the conversation: Stream, N bytes now,
	// Total bytes so far. N == 0 on Stdin is end of file.
	OpStdio
	// OpLimit: Text is the limit's name, Total the limit, N the value,
	// Asked the action.
	OpLimit

	// OpWritten follows an OpWrite with the written content: File, Data.
	OpWritten
	// OpEnv is a read of an environment variable: Text. FlagAll says that all
	// variables were read; FlagCreated that none was read yet, but that the
	// runtime of this process reports reads from now on.
	OpEnv
	// OpRan is what the runtime of a process reports about the code that it
	// runs: Text, as package envhook describes it.
	OpRan

	// OpSleep is a task that will wait for N nanoseconds if nothing happens; 0
	// if it now waits for something else. FlagAll says that it has set a timer
	// and does not wait itself.
	OpSleep

	// OpExport is a piece of the archive that the kernel exports at the end of
	// the first process: Data. The last one has no Data, Total is the length of
	// the archive, and Text says why it is incomplete, if it is.
	OpExport

	opEnd
)

// Flags of a record.
const (
	FlagThread uint8 = 1 << iota
	FlagMemory
	FlagDir
	FlagCreated
	FlagMapped
	FlagSymlink
	// FlagCut says that a string or the argument vector was cut.
	FlagCut
	FlagAll
)

// Sizes that bound a record. Longer strings are cut and FlagCut is set.
// no gap: bounds a table or a string of the kernel; a record says that it was cut, and what is forgotten is recorded again
const (
	MaxString = 4096
	// MaxArgs bounds the argument vector.
	// gap: arguments-cut
	MaxArgs   = 64
	MaxRecord = 64 << 10
	// MaxData is how much of an export one record carries. Longer data is cut.
	MaxData = 32 << 10
)

// Record is one observation of the kernel.
type Record struct {
	// Seq numbers records from 1 without gaps.
	Seq uint64
	// Nanos is the host's monotonic clock.
	Nanos int64
	Op    Op
	Flags uint8
	// PID is the process (thread group), TID the task, both as the outermost
	// PID namespace of the sandbox numbers them.
	PID, TID int32
	// Epoch is the task's causal label: how many bytes of the server's standard
	// input had been read when the work began that made the task do this. A
	// process or thread inherits it from its creator for life; a sleeping
	// thread takes the label of the task that wakes it; a task that exists
	// since start-up follows the input.
	Epoch uint64
	// Errno is 0 if the operation succeeded.
	Errno uint16

	Child, ChildPID int32
	Num             uint32
	Mode            uint32
	File            uint32
	Dev, Ino        uint64
	N               int64
	Total           uint64
	Family          uint16
	SockType        uint16
	Port            uint16
	Local           uint16
	Stream          uint8

	Path, To, Asked, Text, Addr string
	Args                        []string
	Data                        []byte
}

// Totals counts the records that the kernel began and finished.
type Totals struct {
	Produced, Committed uint64
}
