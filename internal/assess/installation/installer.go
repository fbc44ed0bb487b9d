package installation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/install"
	"github.com/mcpsf/mcpsf/internal/assess/boxwatch"
	"github.com/mcpsf/mcpsf/internal/assess/internet"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// The files of a finished installation.
const (
	treeFile   = "tree.tar"
	eventsFile = "events.jsonl"
)

// Installed is a finished installation.
type Installed struct {
	// Archive holds the files that it left, "" if it failed.
	Archive string
	About   mcpsf.Installation
	Seen    boxwatch.Observed
	// Marks are the canaries of the run in which it was installed, if that was another.
	Marks   []leak.Mark
	Release func()
}

// record is the metadata stored with an installation.
type record struct {
	About mcpsf.Installation `json:"about"`
	Seen  boxwatch.Observed  `json:"seen"`
	// Canaries are those of that run: the installed files may contain them.
	Canaries []canary `json:"canaries"`
}

// Machine is the sandbox in which packages are installed.
type Machine struct {
	Run      *box.RunDir
	Home     *decoys.Home
	Net      *internet.Internet
	Seed     uint64
	Now      func() time.Time
	CPUs     int
	Platform string
}

// Limits of an installation; zero values are the default.
type Limits struct {
	// Wall is how long it may take, and Disk how much it may leave.
	Wall time.Duration
	Disk int64
}

// Installer does one installation.
type Installer struct {
	Fetcher   *Fetcher
	Artifact  *mcpsf.Artifact
	Toolchain *Toolchain
	Machine   Machine
	Limits    Limits
	// Before is the date of the latest releases that may be installed, zero for today.
	Before time.Time

	plan *install.Plan
	// failed holds a failed installation, with its events.
	failed *record
	events []mcpsf.Event
}

// errInstall stops the building of a tree that must not be cached.
var errInstall = errors.New("the installation failed")

// Install installs the artifact, or uses a cached installation, and adds its
// events to the log.
func (x *Installer) Install(ctx context.Context, log *trace.Log) (*Installed, error) {
	var err error
	tools := x.Toolchain.tools(x.Fetcher)
	tools.Before = x.Before
	if x.plan, err = install.New(x.Artifact, tools); err != nil {
		return nil, err
	}
	text := string(x.Artifact.Install.Manager) + " install " + x.Artifact.Name
	if !x.Before.IsZero() {
		text += " as of " + x.Before.Format(time.DateOnly)
	}
	x.Fetcher.Progress.Step("install", text)
	built := false
	dir, note, release, err := x.Fetcher.trees().Tree(ctx, x.plan.Key, func(ctx context.Context, dir string) ([]byte, error) {
		built = true
		return x.build(ctx, dir)
	})
	if errors.Is(err, errInstall) && x.failed != nil {
		shift := shiftOf(log)
		for _, e := range x.events {
			log.Append(shift.move(e))
		}
		x.Fetcher.Progress.Warn(x.failed.About.Failed)
		return &Installed{About: x.failed.About, Seen: x.failed.Seen, Release: func() {}}, nil
	}
	if err != nil {
		return nil, err
	}
	var r record
	if err := json.Unmarshal(note, &r); err != nil {
		release()
		return nil, fmt.Errorf("reading about an earlier installation (mcpsf cache clear helps): %w", err)
	}
	if err := replay(filepath.Join(dir, eventsFile), log); err != nil {
		release()
		return nil, fmt.Errorf("reading an earlier installation (mcpsf cache clear helps): %w", err)
	}
	r.About.Cached = !built
	if built {
		r.Canaries = nil
	}
	x.Fetcher.Progress.Done(x.summary(&r.About))
	return &Installed{Archive: filepath.Join(dir, treeFile), About: r.About, Seen: r.Seen, Marks: marksOf(r.Canaries), Release: release}, nil
}

func (x *Installer) summary(a *mcpsf.Installation) string {
	text := wording.Count(len(a.Packages), "package")
	if a.Cached {
		return text + ", from the cache"
	}
	return text
}

// build fills dir with a finished installation.
func (x *Installer) build(ctx context.Context, dir string) (note []byte, err error) {
	archive, err := os.Create(filepath.Join(dir, treeFile))
	if err != nil {
		return nil, fmt.Errorf("keeping what was installed: %w", err)
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	events, err := os.Create(filepath.Join(dir, eventsFile))
	if err != nil {
		return nil, fmt.Errorf("keeping what was installed: %w", err)
	}
	defer func() { err = errors.Join(err, events.Close()) }()
	log := trace.NewLog(trace.Create(events))
	r, err := x.runManager(ctx, log, archive)
	if err != nil {
		return nil, err
	}
	if err := log.Close(); err != nil {
		return nil, err
	}
	if r.About.Failed != "" {
		x.failed, x.events = r, log.Events()
		return nil, errInstall
	}
	return json.Marshal(r)
}
