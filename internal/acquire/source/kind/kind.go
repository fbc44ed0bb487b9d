// Package kind has the types that all sources share: [Options], what a source
// gets beside the target, and [Resolver], what it implements. The sources are
// packages beside this one.
package kind

import (
	"context"
	"log/slog"
	"strings"
	"syscall"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Resolver is one kind of source.
type Resolver interface {
	// Kind is the value of [mcpsf.Artifact.Kind].
	Kind() string
	// Match reports whether the target is written in this source's form. It
	// only looks at the text.
	Match(target mcpsf.Target) bool
	// Resolve fills stageDir and describes it. The facts are what it found that
	// no honest source contains. opts is complete: no zero field, no nil
	// logger.
	Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts Options) (*mcpsf.Artifact, []mcpsf.Fact, error)
}

// The limits that apply where [Options] does not set any.
// no gap: a larger package, manifest or list is refused with an error
const (
	DefaultMaxBytes = 1 << 30
	DefaultMaxFiles = 100_000
	DefaultMaxDepth = 64
)

// Options are what a source gets beside its target. Zero fields take their
// defaults.
type Options struct {
	staging.Limits

	Logger *slog.Logger

	// Registry is the access to package registries; sources that need it fail
	// with a clear message if it is nil.
	Registry *registry.Client
	// Cache keeps published files; nil means no cache.
	Cache Cache
	// Trees keeps unpacked images; sources that need it refuse nil.
	Trees Trees
	// Python is the version of the interpreter that will run Python servers,
	// for example "3.11.2"; "" if it is unknown.
	Python string
	// Unstarted says that the server will only be read: a tree without an entry
	// point is accepted.
	Unstarted bool
	// InPlace says that a directory of the user is only read: no copy is made.
	InPlace bool
	// Control may refuse addresses that image registries resolve to; nil allows
	// all.
	Control Control
	// Progress is called with the bytes of a download; total is -1 if unknown.
	// It may be nil.
	Progress func(done, total int64)
}

// Control refuses addresses, as [net.Dialer.Control] does.
type Control = func(network, address string, c syscall.RawConn) error

// Cache keeps published files by their immutable name, so that a second run
// needs no network.
type Cache interface {
	// Get returns the file for key, verified against its digest, and its note.
	Get(key string) (path string, note []byte, ok bool)
	// Put moves the file at path into the cache and returns its new path.
	Put(key, path string, note []byte) (string, error)
}

// Trees keeps directory trees by key. Of several callers with the same key,
// in this process or another, one builds and the others wait.
type Trees interface {
	// Tree returns the verified directory for key, or the one that build has
	// filled. It stays in place until release is called.
	Tree(ctx context.Context, key string, build func(ctx context.Context, dir string) (note []byte, err error)) (dir string, note []byte, release func(), err error)
}

// Complete fills in the defaults; o may be nil.
func (o *Options) Complete() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = DefaultMaxBytes
	}
	if c.MaxFiles <= 0 {
		c.MaxFiles = DefaultMaxFiles
	}
	if c.MaxDepth <= 0 {
		c.MaxDepth = DefaultMaxDepth
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// Check refuses targets that no source accepts.
func Check(target mcpsf.Target) error {
	if target.Source == "" {
		return usererr.Usage("nothing to assess was named; name a local file or directory, for example ./my-server")
	}
	for _, text := range append([]string{target.Source}, target.Command...) {
		if strings.ContainsRune(text, 0) {
			return usererr.Usage("%s contains a NUL byte; no file or argument can", usererr.Quote(text))
		}
	}
	if len(target.Command) > 0 && target.Command[0] == "" {
		return usererr.Usage("the command after -- is empty; write it as in: mcpsf assess %s -- node server.js",
			usererr.ShellWord(target.Source))
	}
	for _, kv := range target.Env {
		if name, _, ok := strings.Cut(kv, "="); !ok || name == "" || strings.ContainsRune(kv, 0) {
			return usererr.Usage("the environment variable %s is not of the form NAME=VALUE", usererr.Quote(name))
		}
	}
	return nil
}
