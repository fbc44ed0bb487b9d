package interpreter

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Trees keeps directory trees by key. Of several callers with the same key,
// in this process or another, one builds and the others wait.
type Trees interface {
	// Tree returns the verified directory for key, or the one that build has
	// filled. It stays in place until release is called.
	Tree(ctx context.Context, key string, build func(ctx context.Context, dir string) (note []byte, err error)) (dir string, note []byte, release func(), err error)
}

// fetcher puts published files into a [Trees].
type fetcher struct {
	client *registry.Client
	trees  Trees
	// kind is the first part of the keys: "node", "npm", "pip".
	kind string
	// from is the registry, and what names the package in messages.
	from     registry.Registry
	what     string
	progress func(done, total int64)
	unpack   func(ctx context.Context, f *os.File, size int64, dst *os.Root) error
}

// kept is an unpacked file. release must be called when it is no longer needed.
type kept struct {
	published
	dir     string
	release func()
}

var errNotKept = errors.New("not kept")

// fetch returns the first available file of list. The choice is remembered
// under request: asking again needs no network and has the same result, until
// the cache is cleared.
func (f *fetcher) fetch(ctx context.Context, request string, list func(ctx context.Context) ([]published, error)) (*kept, error) {
	if f.client == nil || f.trees == nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeInternal, Message: f.what + " cannot be fetched without a registry and a cache"}
	}
	key := f.kind + "/request/" + digest(f.from.URL.String(), request)
	if p, ok := f.remembered(ctx, key); ok {
		k, err := f.keep(ctx, p)
		if err == nil || !isGone(err) {
			return k, err
		}
	}
	offered, err := list(ctx)
	if err != nil {
		return nil, err
	}
	var last error
	for _, p := range offered {
		k, err := f.keep(ctx, p)
		if err == nil {
			f.remember(ctx, key, p)
			return k, nil
		}
		if last = err; !isGone(err) {
			break
		}
	}
	return nil, last
}

// isGone reports that a registry lists a file but does not serve it, as partial
// mirrors do. Another version may be available.
func isGone(err error) bool { return mcpsf.ErrorCode(err) == mcpsf.CodeUsage }

func (f *fetcher) remembered(ctx context.Context, key string) (p published, ok bool) {
	_, note, release, err := f.trees.Tree(ctx, key, func(context.Context, string) ([]byte, error) { return nil, errNotKept })
	if err != nil {
		return p, false
	}
	defer release()
	return p, json.Unmarshal(note, &p) == nil && p.valid()
}

// remember ignores failures: what it cannot store is fetched again next time.
func (f *fetcher) remember(ctx context.Context, key string, p published) {
	_, _, release, err := f.trees.Tree(ctx, key, func(context.Context, string) ([]byte, error) { return json.Marshal(p) })
	if err == nil {
		release()
	}
}

func (f *fetcher) keep(ctx context.Context, p published) (*kept, error) {
	key := fmt.Sprintf("%s/%s-%s", f.kind, p.Version, strings.ReplaceAll(p.Sum, ":", "-"))
	dir, _, release, err := f.trees.Tree(ctx, key, func(ctx context.Context, dir string) ([]byte, error) {
		return nil, f.build(ctx, p, dir)
	})
	if err != nil {
		return nil, err
	}
	return &kept{published: p, dir: dir, release: release}, nil
}

// build downloads and verifies the file, and only then opens it.
func (f *fetcher) build(ctx context.Context, p published, dir string) error {
	dst, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("opening the cache: %w", err)
	}
	defer dst.Close()
	const name = ".download"
	file, err := dst.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("making a file in the cache: %w", err)
	}
	defer file.Close()
	size, err := f.download(ctx, p, file)
	if err != nil {
		return err
	}
	if err := f.unpack(ctx, file, size, dst); err != nil {
		return err
	}
	if err := dst.Remove(name); err != nil {
		return fmt.Errorf("removing a file from the cache: %w", err)
	}
	return nil
}

func (f *fetcher) download(ctx context.Context, p published, file *os.File) (int64, error) {
	check := newVerifier(p.Sum)
	w := &counter{Writer: io.MultiWriter(file, check)}
	req := &registry.Request{
		Registry: f.from, URL: p.URL, What: fmt.Sprintf("%s %s", f.what, p.Version),
	}
	if err := f.client.Download(ctx, req, w, maxPackage, f.progress); err != nil {
		return 0, err
	}
	if !check.holds() {
		return 0, unavailable("%s %s was changed on its way: it does not have the digest that %s states; "+
			"check the registry and the proxies before it", f.what, p.Version, safetext.Line(f.from.URL.Host, maxShown))
	}
	return w.n, nil
}

// digest is a hash of a request.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

func unavailable(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUnavailable, Message: fmt.Sprintf(format, args...)}
}
