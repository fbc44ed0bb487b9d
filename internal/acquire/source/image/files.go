package image

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// localImage is an image in local files.
type localImage struct {
	source string
	files  fileSet
	// saved maps the names that open gets to the files of "docker save", nil
	// for an OCI layout.
	saved map[string]string
}

var _ blobs = (*localImage)(nil)

func locateFiles(source, name string, files fileSet, want platform) (*image, error) {
	l := &localImage{source: source, files: files}
	img, err := l.locate(want)
	if err != nil {
		files.close()
		return nil, err
	}
	img.source, img.from, img.name = source, l, name
	return img, nil
}

// locate prefers the OCI layout, because Docker writes both since version 25.
func (l *localImage) locate(want platform) (*image, error) {
	data, err := l.small("index.json")
	if err == nil {
		return l.layout(data, want)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, l.explain(err)
	}
	if data, err = l.small("manifest.json"); errors.Is(err, fs.ErrNotExist) {
		return nil, notAnImage(l.source)
	}
	if err != nil {
		return nil, l.explain(err)
	}
	return l.dockerSave(data)
}

// layout follows the index to the manifest for the platform.
func (l *localImage) layout(data []byte, want platform) (*image, error) {
	const nesting = 4
	for level := range nesting {
		d, err := parseDocument(l.source, data)
		if err != nil {
			return nil, err
		}
		if !d.isIndex() {
			return nil, usererr.Usage("%s is damaged: its index is none; get it again", usererr.Quote(l.source))
		}
		fit, err := d.pick(l.source, want)
		if err != nil {
			return nil, err
		}
		if level == 0 && fit[0].Digest != fit[len(fit)-1].Digest {
			return nil, usererr.Usage("%s has %d images in it; save one alone", usererr.Quote(l.source), len(fit))
		}
		if data, err = l.small(blobName(fit[0].Digest)); err != nil {
			return nil, l.explain(err)
		}
		digest := fit[0].Digest.String()
		if got := digestOf(digest, data); got != digest {
			return nil, usererr.Usage("%s is damaged: its manifest has the digest %s instead of %s; get it again", usererr.Quote(l.source), got, digest)
		}
		if d, err = parseDocument(l.source, data); err != nil {
			return nil, err
		}
		if !d.isIndex() {
			return (&image{}).of(digest, d), nil
		}
	}
	return nil, usererr.Usage("%s leads from index to index; do not use it", usererr.Quote(l.source))
}

// dockerSave reads the format of Docker before version 25. It has no manifest,
// so the image is pinned by its configuration, which has the digests of the
// layers; Docker calls the configuration's digest the image ID.
func (l *localImage) dockerSave(data []byte) (*image, error) {
	var list []struct {
		Config   string
		RepoTags []string
		Layers   []string
	}
	if err := json.Unmarshal(data, &list); err != nil || len(list) == 0 || list[0].Config == "" {
		return nil, usererr.Usage("%s is not an image: its manifest.json cannot be read; write it with docker save, podman save or skopeo copy", usererr.Quote(l.source))
	}
	if len(list) > 1 {
		return nil, usererr.Usage("%s has %d images in it; save one alone", usererr.Quote(l.source), len(list))
	}
	saved := list[0]
	config, err := l.small(path.Clean(saved.Config))
	if err != nil {
		return nil, l.explain(err)
	}
	digest := digestOf("sha256:", config)
	pin, err := v1.NewHash(digest)
	if err != nil {
		return nil, fmt.Errorf("naming the configuration: %w", err)
	}
	l.saved = map[string]string{digest: path.Clean(saved.Config)}
	d := &document{Config: &v1.Descriptor{MediaType: types.DockerConfigJSON, Digest: pin, Size: int64(len(config))}}
	for _, name := range saved.Layers {
		f, length, err := l.files.file(path.Clean(name))
		if err != nil {
			return nil, l.explain(err)
		}
		_ = f.Close()
		d.Layers = append(d.Layers, v1.Descriptor{
			MediaType: types.DockerUncompressedLayer, Size: length, Annotations: map[string]string{savedAs: path.Clean(name)},
		})
	}
	if err := d.check(l.source); err != nil {
		return nil, err
	}
	img := (&image{}).of(digest, d)
	if len(saved.RepoTags) > 0 {
		img.notes = append(img.notes, "the archive calls the image "+usererr.Quote(saved.RepoTags[0]))
	}
	return img, nil
}

// savedAs is the annotation with a layer's file.
const savedAs = "file"

func (l *localImage) small(name string) ([]byte, error) {
	f, length, err := l.files.file(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if length > maxManifest {
		return nil, usererr.Usage("%s in %s is larger than %s; do not use it", usererr.Quote(name), usererr.Quote(l.source), usererr.Size(maxManifest))
	}
	var data bytes.Buffer
	_, err = io.Copy(&data, io.LimitReader(f, maxManifest))
	return data.Bytes(), err
}

// open implements [blobs].
func (l *localImage) open(_ context.Context, d v1.Descriptor) (io.ReadCloser, error) {
	name := d.Annotations[savedAs]
	if l.saved == nil {
		name = blobName(d.Digest)
	} else if name == "" {
		name = l.saved[d.Digest.String()]
	}
	f, _, err := l.files.file(name)
	return f, err
}

// explain implements [blobs].
func (l *localImage) explain(err error) error {
	_, ours := errors.AsType[*mcpsf.Error](err)
	switch {
	case ours || errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return usererr.Usage("%s is damaged: a part of the image is not in it; save it again", usererr.Quote(l.source))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return usererr.Usage("%s is damaged: a part of the image is cut short; save it again", usererr.Quote(l.source))
	}
	return staging.Unreadable(l.source, err)
}

// again implements [blobs].
func (l *localImage) again(error) bool { return false }

// close implements [blobs].
func (l *localImage) close() { l.files.close() }

func blobName(h v1.Hash) string { return "blobs/" + h.Algorithm + "/" + h.Hex }

// digestOf returns the digest of data with the algorithm that like names.
func digestOf(like string, data []byte) string {
	algorithm, _, _ := bytes.Cut([]byte(like), []byte(":"))
	sum, err := v1.Hasher(string(algorithm))
	if err != nil {
		return ""
	}
	sum.Write(data)
	return string(algorithm) + ":" + hex.EncodeToString(sum.Sum(nil))
}
