// Package installation provides what a server needs before it can be started:
// the runtime, the package manager, and the package with its dependencies, which
// the package manager installs in a sandbox of its own. The result is cached
// together with the events of the installation.
package installation

import (
	"fmt"
	"log/slog"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/acquire/interpreter"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/assess/progress"
	"github.com/mcpsf/mcpsf/internal/drive/remote"
)

// Sources say where packages, runtimes and images come from.
type Sources struct {
	// Registry is the client for package registries; nil for none.
	Registry *registry.Client
	// Cache keeps what was downloaded and installed; nil keeps nothing.
	Cache *cache.Cache
	// HostPath is the caller's PATH, searched for language runtimes.
	HostPath string
	// Image is an image to run the server on, "" for this machine's own
	// runtimes. Images are used where this machine has no runtime.
	Image  string
	Images map[mcpsf.Runtime]string
	// PublicOnly refuses images from this machine's own network, because the
	// image was not named by the machine's user.
	PublicOnly bool
}

// Fetcher fetches from the sources.
type Fetcher struct {
	Sources

	// TempDir is where trees are kept without a cache.
	TempDir  string
	Progress progress.Reporter
	Logger   *slog.Logger
}

// SourceOptions returns the options for resolving a target.
func (f *Fetcher) SourceOptions() *kind.Options {
	s := &kind.Options{Logger: f.Logger, Registry: f.Registry, Trees: f.trees(), Progress: func(done, total int64) {
		if total > 0 {
			f.Progress.Update(fmt.Sprintf("downloading %.1f of %.1f MB", megabytes(done), megabytes(total)))
			return
		}
		f.Progress.Update(fmt.Sprintf("downloading %.1f MB", megabytes(done)))
	}}
	if f.Cache != nil {
		s.Cache = f.Cache
	}
	if f.PublicOnly {
		s.Control = remote.NewDialer(false).Control
	}
	if pythons := interpreter.Installed(mcpsf.RuntimePython, f.HostPath); len(pythons) > 0 {
		s.Python = pythons[0].Version
	}
	return s
}

func megabytes(n int64) float64 { return float64(n) / (1 << 20) }
