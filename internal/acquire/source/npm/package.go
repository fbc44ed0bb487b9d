package npm

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// FactConfusion is the kind of a [mcpsf.Fact] about a package that is not what
// the registry says it is.
const FactConfusion = "manifest.confusion"

// tarball unpacks a package like npm does: the top directory of each entry is
// removed from its name, and entries without one are left out.
type tarball struct{ *archive.Unpacker }

func (n *tarball) unpack(ctx context.Context, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("opening a download: %w", err)
	}
	defer f.Close()
	in := n.Counted(archive.Stream(ctx, f))
	var magic [2]byte
	if _, err := f.ReadAt(magic[:], 0); err == nil && magic == [2]byte{0x1f, 0x8b} {
		z, err := gzip.NewReader(in)
		if err != nil {
			return n.Broken(err)
		}
		defer z.Close()
		in = z
	}
	err = n.EachEntry(in, archive.EndMarked, func(h *tar.Header, r io.Reader) error { return n.entry(ctx, h, r) })
	if err != nil {
		return err
	}
	return n.Finish(ctx)
}

func (n *tarball) entry(ctx context.Context, h *tar.Header, r io.Reader) error {
	if err := n.Count(); err != nil {
		return err
	}
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	inner := *h
	if inner.Name = inTop(h.Name); inner.Name == "" {
		if h.Typeflag != tar.TypeDir {
			n.Tree.Notes.Add("left out %s: npm leaves it out, too", usererr.Quote(h.Name))
		}
		return nil
	}
	if h.Typeflag == tar.TypeLink {
		inner.Linkname = inTop(h.Linkname)
	}
	return n.Settle(strings.TrimPrefix(inner.Name, archive.Stripped+"/"), n.TarEntry(ctx, &inner, r))
}

// inTop moves a name into the top directory that Finish removes, "" if it is in
// no directory. An invalid name is passed on, to be refused.
func inTop(name string) string {
	if _, why := archive.MemberPath(name); why != "" {
		return name
	}
	_, rest, below := strings.Cut(path.Clean(name), "/")
	if !below {
		return ""
	}
	return path.Join(archive.Stripped, rest)
}

// installScripts reports the scripts that run at installation.
func installScripts(t *staging.Tree, manifest map[string]json.RawMessage) []mcpsf.Fact {
	// no gap: a larger package, manifest or list is refused with an error
	const kind, file, most = "manifest.script", "package.json", 500
	scripts := document.Object(manifest["scripts"])
	var facts []mcpsf.Fact
	for _, name := range []string{"preinstall", "install", "postinstall", "prepare"} {
		if script := safetext.Line(document.Text(scripts[name]), most); script != "" {
			facts = append(facts, mcpsf.Fact{Kind: kind, Path: file, Text: name + ": " + script})
		}
	}
	if document.Text(scripts["install"]) == "" && document.Text(scripts["preinstall"]) == "" && t.File("binding.gyp") != nil {
		facts = append(facts, mcpsf.Fact{Kind: kind, Path: "binding.gyp", Text: "install: node-gyp rebuild"})
	}
	return facts
}

// confusion compares what the registry states with what the package contains: a
// user would read the registry's page and install something else.
func (p *pick) confusion(name string, manifest map[string]json.RawMessage) []mcpsf.Fact {
	var facts []mcpsf.Fact
	add := func(format string, args ...any) {
		facts = append(facts, mcpsf.Fact{Kind: FactConfusion, Path: "package.json", Text: fmt.Sprintf(format, args...)})
	}
	if own := document.Text(manifest["name"]); own != name {
		add("the registry calls it %s, and its package.json %s", usererr.Quote(name), usererr.Quote(own))
	}
	// What follows a "+" is no part of a published version.
	ownVersion, _, _ := strings.Cut(strings.TrimLeft(document.Text(manifest["version"]), "v= "), "+")
	if shown, _, _ := strings.Cut(p.Version, "+"); ownVersion != shown {
		add("the registry calls it version %s, and its package.json %s", usererr.Quote(p.Version), usererr.Quote(ownVersion))
	}
	// no gap: a larger package, manifest or list is refused with an error
	const most = 10
	own := document.Object(manifest["dependencies"])
	optional := document.Object(manifest["optionalDependencies"])
	for _, dep := range slices.Sorted(maps.Keys(own)) {
		if _, known := slices.BinarySearch(p.Dependencies, dep); known || optional[dep] != nil || len(facts) == most {
			continue
		}
		add("it depends on %s, which the registry does not show", usererr.Quote(dep))
	}
	return facts
}
