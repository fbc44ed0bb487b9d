// Package source turns what the user named into what will run.
//
// In comes a [mcpsf.Target], out goes a [mcpsf.Artifact]: a private copy of
// the server's files, pinned by a digest, and the command that starts it.
// Nothing of the target is executed here. Everything read is hostile: names,
// sizes, links and manifests are checked before they are used, and a tree
// that cannot be copied faithfully is refused with one line that says what to
// do.
//
// Each kind of source is a [Resolver], listed in [All].
package source

import (
	"context"
	"log/slog"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/registry"
)

// The limits that apply where [Options] does not set any.
const (
	DefaultMaxBytes = 1 << 30
	DefaultMaxFiles = 100_000
	DefaultMaxDepth = 64
)

// Options bound what is copied. Zero fields take their defaults.
type Options struct {
	// MaxBytes is the sum of all file sizes as the file system states them.
	MaxBytes int64
	// MaxFiles counts files, directories and symbolic links.
	MaxFiles int
	// MaxDepth is the number of names in the longest path.
	MaxDepth int
	Logger   *slog.Logger

	// Registry is the way to package registries; sources that need it fail
	// with a clear line if it is nil.
	Registry *registry.Client
	// Cache keeps published files; nil keeps none.
	Cache Cache
	// Trees keeps unpacked images; nil is refused by the sources that need it.
	Trees Trees
	// Python is the version of the interpreter that will run Python servers,
	// for example "3.11.2"; "" if it is not known.
	Python string
	// Progress is told about the bytes of a download, total -1 if unknown.
	// It may be nil.
	Progress func(done, total int64)
}

// Cache keeps published files by the immutable name they were asked for, so
// that a second run needs no network.
type Cache interface {
	// Get returns the file kept for key, checked against the digest it was
	// put with, and the note that was put beside it.
	Get(key string) (path string, note []byte, ok bool)
	// Put moves the file at path into the cache and returns where it is now.
	Put(key, path string, note []byte) (string, error)
}

// Trees keeps directory trees by key. Of several callers with the same key,
// in this process or another, one builds and the others wait.
type Trees interface {
	// Tree returns the directory kept for key, verified, or the one that
	// build has filled. It stays in place until release is called.
	Tree(ctx context.Context, key string, build func(ctx context.Context, dir string) (note []byte, err error)) (dir string, note []byte, release func(), err error)
}

// Resolver is one kind of source.
type Resolver interface {
	// Kind is what [mcpsf.Artifact.Kind] will say.
	Kind() string
	// Match reports whether the target is written the way this source is.
	// It looks at the text alone.
	Match(target mcpsf.Target) bool
	// Resolve fills stageDir and describes it. The facts are what it came
	// upon that no honest source contains. opts is complete: no zero field,
	// no nil logger.
	Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts Options) (*mcpsf.Artifact, []mcpsf.Fact, error)
}

// All lists the sources in the order they are asked. A local path can look
// like anything, so it comes last.
func All() []Resolver {
	return []Resolver{npm{}, pypi{}, oci{}, github{}, archive{}, local{}}
}

// FactRefused is the kind of a [mcpsf.Fact] about an entry of an archive that
// was not unpacked because only a hostile archive has such entries.
const FactRefused = "archive.refused"

// Resolve is [ResolveWithFacts] for callers that have no use for the facts.
func Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts *Options) (*mcpsf.Artifact, error) {
	a, _, err := ResolveWithFacts(ctx, target, stageDir, opts)
	return a, err
}

// ResolveWithFacts copies what target names into stageDir and finds out how
// to start it. stageDir exists, is empty, and belongs to the caller, who
// removes it whatever the outcome. The facts are what the source tried to do
// to whoever unpacks it.
//
// What the user can fix is an [mcpsf.Error] with [mcpsf.CodeUsage].
func ResolveWithFacts(ctx context.Context, target mcpsf.Target, stageDir string, opts *Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	if err := checkTarget(target); err != nil {
		return nil, nil, err
	}
	o := opts.complete()
	for _, r := range All() {
		if r.Match(target) {
			o.Logger.Debug("resolving", "kind", r.Kind())
			return r.Resolve(ctx, target, stageDir, o)
		}
	}
	return nil, nil, usage("%s is no source mcpsf knows; name a local file or directory, for example ./my-server",
		quote(target.Source))
}

func checkTarget(target mcpsf.Target) error {
	if target.Source == "" {
		return usage("nothing to assess was named; name a local file or directory, for example ./my-server")
	}
	for _, text := range append([]string{target.Source}, target.Command...) {
		if strings.ContainsRune(text, 0) {
			return usage("%s contains a NUL byte; no file or argument can", quote(text))
		}
	}
	if len(target.Command) > 0 && target.Command[0] == "" {
		return usage("the command after -- is empty; write it as in: mcpsf assess %s -- node server.js",
			shellWord(target.Source))
	}
	for _, kv := range target.Env {
		if name, _, ok := strings.Cut(kv, "="); !ok || name == "" || strings.ContainsRune(kv, 0) {
			return usage("the environment variable %s is not of the form NAME=VALUE", quote(name))
		}
	}
	return nil
}

func (o *Options) complete() Options {
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
