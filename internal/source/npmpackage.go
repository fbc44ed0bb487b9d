package source

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// FactConfusion is the kind of a [mcpsf.Fact] about a package that is not
// what the registry says it is.
const FactConfusion = "manifest.confusion"

// npmTar unpacks a package the way npm does: whatever directory an entry is
// in is taken away from its name, and what is in none is left out.
type npmTar struct{ *unpacker }

func (n *npmTar) unpack(ctx context.Context, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("opening a download: %w", err)
	}
	defer f.Close()
	in := &tarStream{u: n.unpacker, r: n.counted(stream(ctx, f))}
	var magic [2]byte
	if _, err := f.ReadAt(magic[:], 0); err == nil && magic == [2]byte{0x1f, 0x8b} {
		z, err := gzip.NewReader(in.r)
		if err != nil {
			return n.broken(err)
		}
		defer z.Close()
		in.r = z
	}
	t := tar.NewReader(in)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return n.broken(err)
		}
		if err := n.entry(ctx, h, t); err != nil {
			return err
		}
	}
	if in.zeros < 512 {
		return n.damaged("the mark at its end is missing")
	}
	if err := in.rest(); err != nil {
		return err
	}
	return n.finish(ctx)
}

func (n *npmTar) entry(ctx context.Context, h *tar.Header, r io.Reader) error {
	if err := n.count(); err != nil {
		return err
	}
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	inner := *h
	if inner.Name = inTop(h.Name); inner.Name == "" {
		if h.Typeflag != tar.TypeDir {
			n.tree.notes.add("left out %s: npm leaves it out, too", quote(h.Name))
		}
		return nil
	}
	if h.Typeflag == tar.TypeLink {
		inner.Linkname = inTop(h.Linkname)
	}
	return n.settle(strings.TrimPrefix(inner.Name, stripped+"/"), n.tarEntry(ctx, &inner, r))
}

// inTop moves a name into the one directory that finish takes away, "" if it
// is in no directory. A name that no package has is handed on, to be refused.
func inTop(name string) string {
	if _, why := memberPath(name); why != "" {
		return name
	}
	_, rest, below := strings.Cut(path.Clean(name), "/")
	if !below {
		return ""
	}
	return path.Join(stripped, rest)
}

// npmScripts tells what of the package runs when it is installed.
func (p *project) npmScripts(manifest map[string]json.RawMessage) []mcpsf.Fact {
	const kind, file, most = "manifest.script", "package.json", 500
	scripts := object(manifest["scripts"])
	var facts []mcpsf.Fact
	for _, name := range []string{"preinstall", "install", "postinstall", "prepare"} {
		if script := clean(text(scripts[name]), most); script != "" {
			facts = append(facts, mcpsf.Fact{Kind: kind, Path: file, Text: name + ": " + script})
		}
	}
	if text(scripts["install"]) == "" && text(scripts["preinstall"]) == "" && p.tree.file("binding.gyp") != nil {
		facts = append(facts, mcpsf.Fact{Kind: kind, Path: "binding.gyp", Text: "install: node-gyp rebuild"})
	}
	return facts
}

// confusion compares what the registry shows with what the package contains.
// Whoever looks at the registry's page sees the one and installs the other.
func (p *npmPick) confusion(name string, manifest map[string]json.RawMessage) []mcpsf.Fact {
	var facts []mcpsf.Fact
	add := func(format string, args ...any) {
		facts = append(facts, mcpsf.Fact{Kind: FactConfusion, Path: "package.json", Text: fmt.Sprintf(format, args...)})
	}
	if said := text(manifest["name"]); said != name {
		add("the registry calls it %s, and its package.json %s", quote(name), quote(said))
	}
	// What follows a "+" is no part of a published version.
	said, _, _ := strings.Cut(strings.TrimLeft(text(manifest["version"]), "v= "), "+")
	if shown, _, _ := strings.Cut(p.Version, "+"); said != shown {
		add("the registry calls it version %s, and its package.json %s", quote(p.Version), quote(said))
	}
	const most = 10
	own := object(manifest["dependencies"])
	optional := object(manifest["optionalDependencies"])
	for _, dep := range slices.Sorted(maps.Keys(own)) {
		if _, known := slices.BinarySearch(p.Dependencies, dep); known || optional[dep] != nil || len(facts) == most {
			continue
		}
		add("it depends on %s, which the registry does not show", quote(dep))
	}
	return facts
}
