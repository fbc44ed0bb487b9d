package image

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// blobs provides the parts of an image.
type blobs interface {
	// open returns the blob of the descriptor, unverified.
	open(ctx context.Context, d v1.Descriptor) (io.ReadCloser, error)
	// explain describes an error of open or of reading.
	explain(err error) error
	// again reports whether a retry may succeed.
	again(err error) bool
	close()
}

// image is a manifest and the source of its parts.
type image struct {
	source string // as typed
	from   blobs
	// digest pins it: that of the manifest, or of the configuration if there is
	// no manifest.
	digest string
	config v1.Descriptor
	// layers without a digest are pinned by the configuration alone.
	layers []v1.Descriptor

	name, version, url string
	offline            bool
	notes              []string
}

// kept is stored with the tree, so that a second run needs nothing else.
type kept struct {
	Config settings     `json:"config"`
	Files  int          `json:"files"`
	Bytes  int64        `json:"bytes"`
	Notes  []string     `json:"notes,omitempty"`
	Facts  []mcpsf.Fact `json:"facts,omitempty"`
}

// tree returns the image's file system, and unpacks it if it is not cached.
func (i *image) tree(ctx context.Context, opts kind.Options, want platform) (dir string, note *kept, release func(), err error) {
	built := false
	dir, data, release, err := opts.Trees.Tree(ctx, "image/"+i.digest, func(ctx context.Context, dir string) ([]byte, error) {
		built = true
		b := &builder{image: i, opts: opts, want: want, dir: dir}
		return b.build(ctx)
	})
	if err != nil {
		return "", nil, nil, err
	}
	i.offline = i.offline && !built
	note = &kept{}
	if err := json.Unmarshal(data, note); err != nil {
		release()
		return "", nil, nil, fmt.Errorf("reading what is kept about the image: %w", err)
	}
	return dir, note, release, nil
}

// builder unpacks an image into dir.
type builder struct {
	*image

	opts        kind.Options
	want        platform
	dir         string
	done, total int64
}

func (b *builder) build(ctx context.Context) ([]byte, error) {
	b.total = b.config.Size
	for _, l := range b.layers {
		b.total += l.Size
	}
	var data bytes.Buffer
	if err := b.fetch(ctx, b.config, &data); err != nil {
		return nil, err
	}
	config, diffIDs, err := parseSettings(b.source, data.Bytes(), b.want)
	if err != nil {
		return nil, err
	}
	if len(diffIDs) != len(b.layers) {
		return nil, usererr.Usage("the image %s is damaged: it has %d layers, but its configuration tells of %d; get it again",
			usererr.Quote(b.source), len(b.layers), len(diffIDs))
	}
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		return nil, fmt.Errorf("opening the directory for the image: %w", err)
	}
	defer root.Close()
	if err := root.Chmod(".", 0o755); err != nil {
		return nil, hostFailure(err)
	}
	f := newRootfs(b.source, root, limits())
	for n, l := range b.layers {
		if err := b.layer(ctx, f, l, diffIDs[n]); err != nil {
			return nil, err
		}
	}
	return b.finish(f, config)
}

// layer downloads and verifies a layer before it is unpacked. Its file is
// unlinked first, so that nothing is left of it whatever happens.
func (b *builder) layer(ctx context.Context, f *rootfs, d v1.Descriptor, diffID v1.Hash) error {
	scratch, err := os.CreateTemp(b.dir, "")
	if err != nil {
		return hostFailure(err)
	}
	defer scratch.Close()
	if err := os.Remove(scratch.Name()); err != nil {
		return hostFailure(err)
	}
	if err := b.fetch(ctx, d, scratch); err != nil {
		return err
	}
	if _, err := scratch.Seek(0, io.SeekStart); err != nil {
		return hostFailure(err)
	}
	return f.unpackLayer(ctx, scratch, diffID)
}

func (b *builder) finish(f *rootfs, config *settings) ([]byte, error) {
	note := kept{Config: *config, Notes: config.notes()}
	// A container gets its working directory even if the image lacks it.
	if _, err := f.walk(path.Join(".", config.WorkDir), true); err != nil {
		why, ok := errors.AsType[archive.RefusedError](err)
		if !ok {
			return nil, err
		}
		note.Notes = append(note.Notes, "there is no working directory "+usererr.Quote(config.WorkDir)+" in the image: "+string(why))
	}
	note.Files, note.Bytes = f.count()
	if f.skipped > 0 {
		note.Notes = append(note.Notes, fmt.Sprintf("left out %d devices and named pipes, for example %s", f.skipped, usererr.Quote(f.firstSkipped)))
	}
	note.Notes = append(note.Notes, f.u.Tree.Notes.All()...)
	note.Facts = f.u.Facts()
	return json.Marshal(note)
}
