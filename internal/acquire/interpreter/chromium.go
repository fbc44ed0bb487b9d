package interpreter

import (
	"context"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

const chromiumPackage = "@sparticuz/chromium"

// chromiumRelease is the browser that is fetched, by its digest: it is built by
// somebody else than Chromium's authors, and no other file of that name is used.
func chromiumRelease() published {
	return published{
		Version: "153.0.0", URL: chromiumPackage + "/-/chromium-153.0.0.tgz",
		Sum: "sha512:8e2196a92bcf31dbb8f8ff538a562a011ef21063c41c8371fa50af13f36a34efc41d8cc5ff1d615222394fa8a8548b7b744cbb9fcf1bcb24f4be4f9d9ec810c0",
	}
}

// Chromium gets a browser without a window from the user's npm registry, for
// machines that have none. Its folder has the program "chromium", its libraries in
// "lib" and its fonts. arch is the processor as in GOARCH. release releases the copy
// in the cache.
func Chromium(ctx context.Context, client *registry.Client, trees Trees, arch string, progress func(done, total int64)) (dir string, release func(), err error) {
	if arch != "amd64" {
		return "", nil, unavailable("there is no Chromium in the npm registry for the processor %s; install Chromium and try again", safetext.Line(arch, maxShown))
	}
	f := &fetcher{
		client: client, trees: trees, kind: "chromium", what: fmt.Sprintf("npm package %q", chromiumPackage), progress: progress, unpack: unpackChromium,
	}
	if client != nil {
		f.from = client.NPM("@sparticuz")
	}
	this := chromiumRelease()
	k, err := f.fetch(ctx, this.Sum, func(context.Context) ([]published, error) { return []published{this}, nil })
	if err != nil {
		return "", nil, err
	}
	return k.dir, k.release, nil
}

// unpackChromium unpacks the program, its libraries and its fonts, which are
// compressed once more in the package.
func unpackChromium(ctx context.Context, f *os.File, _ int64, dst *os.Root) error {
	const program, libraries, fonts = "chromium.br", "al2023.tar.br", "fonts.tar.br"
	out := newPlanter(dst)
	err := out.tarball(ctx, f, func(name string) bool {
		dir, base := path.Split(name)
		return dir == "bin/" && (base == program || base == libraries || base == fonts)
	})
	if err != nil {
		return err
	}
	for _, name := range []string{program, libraries, fonts} {
		if err := out.decompress(ctx, "bin/"+name); err != nil {
			return err
		}
	}
	return has(dst, "chromium", "\x7fELF", "Chromium")
}

// decompress replaces a file that was unpacked by its content.
func (p *planter) decompress(ctx context.Context, name string) error {
	f, err := p.dst.Open(name)
	if err != nil {
		return damaged(err)
	}
	defer f.Close()
	r, content := brotli.NewReader(f), strings.TrimSuffix(path.Base(name), ".br")
	if path.Ext(content) == ".tar" {
		err = p.entries(ctx, r, func(name string) (string, bool) { return name, true })
	} else {
		err = p.plant(ctx, content, 0o755, r)
	}
	if err != nil {
		return err
	}
	return p.dst.Remove(name)
}
