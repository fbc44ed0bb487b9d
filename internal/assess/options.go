package assess

import (
	"io"
	"log/slog"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/agent"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/assess/inspection"
	"github.com/mcpsf/mcpsf/internal/assess/installation"
	"github.com/mcpsf/mcpsf/internal/assess/internet"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/drive/fairtime"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// Options of an assessment.
type Options struct {
	Target mcpsf.Target
	Seed   uint64
	// Profile is how thoroughly the server is tested.
	Profile plan.Profile
	// Network is what the server's network connects to.
	Network internet.Mode
	Sandbox Sandbox
	// Sources say where packages, runtimes and images come from.
	Sources installation.Sources
	Models  Models
	// Inspect says how the package is read; nil skips that.
	Inspect *inspection.Options
	// Remote is set for a server that runs elsewhere.
	Remote *Remote
	Rules  *rules.Set
	Output Output
	Caller Caller
}

// Sandbox bounds the sandboxes that the server runs in.
type Sandbox struct {
	// Boxes is how many may run at a time.
	Boxes  int
	Limits box.Limits
	// Platform is how gVisor intercepts system calls.
	Platform string
	// Total is how long the whole run may take, 0 for any time. Wall is how long
	// one start of the server may be driven. Linger is how long it is observed
	// after its last answer.
	Total, Wall, Linger time.Duration
	// Install bounds the installation.
	Install installation.Limits
	// NoEnvHooks disables the hooks in Python and Node, so that reads of variables are not
	// recorded.
	NoEnvHooks bool
	// World are the user's own files for the home directory.
	World []decoys.File
}

// Models are the language models that take part, all of them optional.
type Models struct {
	// Agents use the server, one after the other.
	Agents []agent.Runner
	// Payloads proposes attack inputs for the tools.
	Payloads llm.Model
	// Reviewer gives a second opinion on the findings.
	Reviewer llm.Model
}

// Output opens the files that a run writes. All but Events may be nil: then that
// file is not written.
type Output struct {
	// Events takes the trace as it grows; it is opened once the target is known to be valid.
	Events func(runID string) (io.WriteCloser, error)
	// Traffic takes the packets of the run at its end, as pcapng.
	Traffic func(runID string) (io.WriteCloser, error)
	// Conversations takes the agents' conversations, as lines of JSON.
	Conversations func(runID string) (io.WriteCloser, error)
}

// Caller is the program that requests the assessment.
type Caller struct {
	Progress progress.Reporter
	Logger   *slog.Logger
	// Version is that of the program.
	Version string
	Now     func() time.Time
	// Fair measures what other programs take of the processors, nil for nothing.
	Fair *fairtime.Meter
	// TempDir is where runs keep their files. Keep leaves those of this run in
	// place.
	TempDir string
	Keep    bool
}

// fetcher returns a fetcher for the sources.
func (o *Options) fetcher() *installation.Fetcher {
	return &installation.Fetcher{Sources: o.Sources, TempDir: o.Caller.TempDir, Progress: o.Caller.Progress, Logger: o.Caller.Logger}
}
