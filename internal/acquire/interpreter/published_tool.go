package interpreter

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// lastNPM is the newest major version of npm that runs the install scripts of
// dependencies by default. We want to observe what they do.
const lastNPM = 11

// NPMFromRegistry gets npm from the user's npm registry: the newest version
// that runs on node. release releases the copy in the cache.
func NPMFromRegistry(ctx context.Context, client *registry.Client, trees Trees, node Interpreter) (t Tool, release func(), err error) {
	f := &fetcher{client: client, trees: trees, kind: "npm", what: `npm package "npm"`, unpack: unpackNPM}
	if client != nil {
		f.from = client.NPM("")
	}
	k, err := f.fetch(ctx, "npm for node "+node.Version, func(ctx context.Context) ([]published, error) {
		list, err := versionsOf(ctx, client, f.from, "npm", f.what)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(p published) bool { return major(p.Version) > lastNPM })
		list = runsOn(list, node)
		if len(list) == 0 {
			return nil, unavailable("no version of npm in the registry runs on Node.js %s; install npm and try again", safetext.Line(node.Version, maxShown))
		}
		return fewOfEach(list), nil
	})
	if err != nil {
		return t, nil, err
	}
	return Tool{
		Args: npmArgs(node, npmMount), Source: k.dir, Mount: npmMount, Version: k.Version, From: "npm package npm",
	}, k.release, nil
}

func unpackNPM(ctx context.Context, f *os.File, _ int64, dst *os.Root) error {
	if err := newPlanter(dst).tarball(ctx, f, func(string) bool { return true }); err != nil {
		return err
	}
	return has(dst, "bin/npm-cli.js", "", "npm")
}

// pipMount is where a downloaded pip appears in the sandbox.
const pipMount = "/opt/pip"

// PipFromIndex gets pip from the user's package index: the newest version that
// runs on python. release releases the copy in the cache.
func PipFromIndex(ctx context.Context, client *registry.Client, trees Trees, python Interpreter) (t Tool, release func(), err error) {
	if client == nil {
		return t, nil, &mcpsf.Error{Code: mcpsf.CodeInternal, Message: "pip cannot be fetched without a registry"}
	}
	for _, from := range client.PyPI() {
		t, release, failed := pipFrom(ctx, client, trees, python, from)
		if failed == nil {
			return t, release, nil
		}
		if err == nil { // the main index takes precedence
			err = failed
		}
		if ctx.Err() != nil {
			break
		}
	}
	return Tool{}, nil, err
}

func pipFrom(ctx context.Context, client *registry.Client, trees Trees, python Interpreter, from registry.Registry) (t Tool, release func(), err error) {
	f := &fetcher{client: client, trees: trees, kind: "pip", from: from, what: `PyPI package "pip"`, unpack: unpackPip}
	k, err := f.fetch(ctx, "pip for python "+python.Version, func(ctx context.Context) ([]published, error) {
		list, err := wheelsOfPip(ctx, client, from, f.what)
		if err != nil {
			return nil, err
		}
		if list = runsOn(list, python); len(list) == 0 {
			return nil, unavailable("no version of pip in the package index runs on Python %s; install pip and try again", safetext.Line(python.Version, maxShown))
		}
		return fewOfEach(list), nil
	})
	if err != nil {
		return t, nil, err
	}
	program := pipMount + "/pip"
	if _, err := os.Stat(filepath.Join(k.dir, "pip", runner)); err == nil {
		program += "/" + runner
	}
	return Tool{
		Args: []string{program}, Source: k.dir, Mount: pipMount, Version: k.Version, From: "PyPI package pip",
	}, k.release, nil
}

func unpackPip(ctx context.Context, f *os.File, size int64, dst *os.Root) error {
	if err := newPlanter(dst).zipped(ctx, f, size); err != nil {
		return err
	}
	return has(dst, "pip/__main__.py", "", "pip")
}

// has returns an error for a package that is not what its name says: it lacks
// the file, or the file begins differently.
func has(dst *os.Root, file, begin, what string) error {
	f, err := dst.Open(file)
	if err == nil {
		defer f.Close()
		head := make([]byte, len(begin))
		if _, err = io.ReadFull(f, head); err == nil && string(head) == begin {
			return nil
		}
	}
	return unavailable("the package of %s has no program in it; check the registry", what)
}
