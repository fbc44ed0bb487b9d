package image

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// registryImage is an image in a registry.
type registryImage struct {
	source string
	ref    name.Reference
	// documents fetches manifests, whose answers are small, layers the rest.
	documents, layers *remote.Puller
	transport         *http.Transport
	credentials       *credentials
}

var _ blobs = (*registryImage)(nil)

// locateRemote asks the registry for the manifest. A cached manifest that is
// requested by its digest needs no request.
func locateRemote(ctx context.Context, text string, opts kind.Options, want platform) (*image, error) {
	ref, err := name.ParseReference(text)
	if err != nil {
		return nil, usererr.Usage("%s is not a reference to an image; write it as in: oci:registry.example/team/server:1.2", usererr.Quote("oci:"+text))
	}
	r, err := newRegistryImage("oci:"+text, ref, opts.Control)
	if err != nil {
		return nil, err
	}
	img, err := r.locate(ctx, opts, want)
	if err != nil {
		r.close()
		return nil, err
	}
	img.version = tagOf(text, ref)
	return img, nil
}

func (r *registryImage) locate(ctx context.Context, opts kind.Options, want platform) (*image, error) {
	img := &image{source: r.source, from: r, name: nameOf(r.ref.Context()), url: r.ref.Name()}
	if _, pinned := r.ref.(name.Digest); pinned {
		if digest, d := r.lastSeen(opts.Cache); d != nil {
			img.offline = true
			return img.of(digest, d), nil
		}
	}
	data, digest, err := r.manifest(ctx, want)
	if err != nil {
		digest, d := r.lastSeen(opts.Cache)
		if d == nil || ctx.Err() != nil || !unreachable(err) {
			return nil, r.explain(err)
		}
		img.offline = true
		img.notes = append(img.notes, "the registry could not be reached; this is what the reference stood for the last time")
		return img.of(digest, d), nil
	}
	d, err := parseDocument(r.source, data)
	if err != nil {
		return nil, err
	}
	if err := r.remember(opts.Cache, data, digest); err != nil {
		opts.Logger.Debug("the manifest was not kept", "error", err)
	}
	return img.of(digest, d), nil
}

func (i *image) of(digest string, d *document) *image {
	i.digest, i.config, i.layers = digest, *d.Config, d.Layers
	return i
}

// manifest follows the reference through indexes to the manifest for the
// platform.
func (r *registryImage) manifest(ctx context.Context, want platform) ([]byte, string, error) {
	const nesting = 4
	ref := r.ref
	for range nesting {
		got, err := r.documents.Get(ctx, ref)
		if err != nil {
			return nil, "", err
		}
		digest, err := r.digest(ref, got.Manifest)
		if err != nil {
			return nil, "", err
		}
		d, err := parseDocument(r.source, got.Manifest)
		if err != nil {
			return nil, "", err
		}
		if !d.isIndex() {
			return got.Manifest, digest, nil
		}
		fit, err := d.pick(r.source, want)
		if err != nil {
			return nil, "", err
		}
		ref = r.ref.Context().Digest(fit[0].Digest.String())
	}
	return nil, "", usererr.Usage("the manifest of %s leads from index to index; do not use it", usererr.Quote(r.source))
}

// digest pins a document. The library's digest is not used: for old media types
// it trusts a header, and the registry chooses both.
func (r *registryImage) digest(ref name.Reference, data []byte) (string, error) {
	pin, pinned := ref.(name.Digest)
	if !pinned {
		return digestOf("sha256:", data), nil
	}
	digest := digestOf(pin.DigestStr(), data)
	if digest != pin.DigestStr() {
		return "", usererr.Usage("the manifest of %s has the digest %s instead of %s; it is damaged or was tampered with, do not use it",
			usererr.Quote(r.source), digest, pin.DigestStr())
	}
	return digest, nil
}

// open implements [blobs]. URLs that a manifest gives for its layers are
// ignored: everything comes from the registry.
func (r *registryImage) open(ctx context.Context, d v1.Descriptor) (io.ReadCloser, error) {
	l, err := r.layers.Layer(ctx, r.ref.Context().Digest(d.Digest.String()))
	if err != nil {
		return nil, err
	}
	return l.Compressed()
}

// resolution is cached with a manifest under its reference.
type resolution struct {
	Digest string `json:"digest"`
}

func requestKey(ref name.Reference) string { return "oci/" + ref.Name() + "/request" }

// lastSeen returns what the reference stood for last time.
func (r *registryImage) lastSeen(cache kind.Cache) (digest string, d *document) {
	if cache == nil {
		return "", nil
	}
	p, note, ok := cache.Get(requestKey(r.ref))
	var known resolution
	if !ok || json.Unmarshal(note, &known) != nil {
		return "", nil
	}
	data, err := os.ReadFile(p)
	if err != nil || len(data) > maxManifest || digestOf(known.Digest, data) != known.Digest {
		return "", nil
	}
	if d, err = parseDocument(r.source, data); err != nil || d.isIndex() {
		return "", nil
	}
	return known.Digest, d
}

// remember caches the manifest under the reference, and under its own digest.
func (r *registryImage) remember(cache kind.Cache, data []byte, digest string) error {
	if cache == nil {
		return nil
	}
	note, err := json.Marshal(resolution{Digest: digest})
	if err != nil {
		return err
	}
	keys := map[string]bool{requestKey(r.ref): true, requestKey(r.ref.Context().Digest(digest)): true}
	for key := range keys {
		dir, err := os.MkdirTemp("", "mcpsf-manifest-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "manifest.json")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return err
		}
		if _, err := cache.Put(key, file, note); err != nil {
			return err
		}
	}
	return nil
}

func newRegistryImage(source string, ref name.Reference, control kind.Control) (*registryImage, error) {
	r := &registryImage{source: source, ref: ref, transport: newTransport(control), credentials: &credentials{}}
	puller := func(limit int64) (*remote.Puller, error) {
		return remote.NewPuller(
			remote.WithAuthFromKeychain(r.credentials),
			remote.WithTransport(&courier{next: r.transport, host: ref.Context().RegistryStr(), limit: limit}),
			remote.WithUserAgent("mcpsf"),
			remote.WithRetryBackoff(remote.Backoff{Duration: 300 * time.Millisecond, Factor: 3, Jitter: 0.1, Steps: 3}),
		)
	}
	var err error
	if r.documents, err = puller(maxManifest); err != nil {
		return nil, err
	}
	r.layers, err = puller(maxBytes)
	return r, err
}

// close implements [blobs].
func (r *registryImage) close() { r.transport.CloseIdleConnections() }

// credentials are those of "docker login". If they cannot be read, the image is
// requested without: most are public.
type credentials struct{ broken error }

var _ authn.Keychain = (*credentials)(nil)

// Resolve implements [authn.Keychain].
func (c *credentials) Resolve(target authn.Resource) (authn.Authenticator, error) {
	var auth authn.Authenticator
	if auth, c.broken = authn.DefaultKeychain.Resolve(target); c.broken != nil {
		return authn.Anonymous, nil //nolint:nilerr // told if it matters
	}
	return auth, nil
}

// nameOf is the repository in its usual short form.
func nameOf(repo name.Repository) string {
	if repo.RegistryStr() != name.DefaultRegistry {
		return repo.Name()
	}
	return strings.TrimPrefix(repo.RepositoryStr(), "library/")
}

// tagOf is the tag, which may also precede a digest.
func tagOf(text string, ref name.Reference) string {
	if t, ok := ref.(name.Tag); ok {
		return t.TagStr()
	}
	before, _, _ := strings.Cut(text, "@")
	if t, err := name.NewTag(before); err == nil && strings.HasSuffix(before, ":"+t.TagStr()) {
		return t.TagStr()
	}
	return ""
}
