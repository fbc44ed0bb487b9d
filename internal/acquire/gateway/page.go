package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// page is a registry's page, rewritten for the sandbox.
type page struct {
	contentType string
	etag        string
	body        []byte
}

// no gap: beyond it the package manager gets an error, which is recorded
const (
	// maxPage bounds what a registry may send. Pages above smallPage are
	// handled one at a time.
	maxPage   = 64 << 20
	smallPage = 4 << 20
	// maxKept bounds all pages of the cache together.
	maxKept     = 64 << 20
	maxKeptPage = maxKept / 4
)

func newPage(contentType string, body []byte) *page {
	sum := sha256.Sum256(body)
	return &page{contentType: contentType, etag: `"` + hex.EncodeToString(sum[:16]) + `"`, body: body}
}

// page answers with the page called key, which is made if it is not cached. A
// page that is not cached keeps its slot while it is sent.
func (g *Gateway) page(x *exchange, key string, produce func() (*page, error)) error {
	if p := g.pages.get(key); p != nil {
		return x.send(p)
	}
	release, err := acquire(x.r.Context(), g.making)
	if err != nil {
		return err
	}
	defer release()
	p := g.pages.get(key)
	if p == nil {
		if p, err = produce(); err != nil {
			return err
		}
		g.pages.put(key, p)
	}
	return x.send(p)
}

// source is a page as a registry sent it.
type source struct {
	body        []byte
	at          *url.URL
	contentType string
}

// fetch reads a page of a registry. path is relative to it.
func (g *Gateway) fetch(x *exchange, what string, reg registry.Registry, path, accept string) (*source, error) {
	ctx := x.r.Context()
	resp, err := g.opts.Client.Do(ctx, &registry.Request{
		Registry: reg, URL: reg.URL.String() + path, Accept: accept, What: what,
	})
	if err != nil {
		return nil, g.failed(ctx, what, reg, 0, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, g.failed(ctx, what, reg, resp.StatusCode, nil)
	}
	body, err := x.read(resp.Body)
	if err != nil {
		return nil, g.failed(ctx, what, reg, 0, err)
	}
	return &source{body: body, at: resp.Request.URL, contentType: resp.Header.Get("Content-Type")}, nil
}

// read reads a page into memory, and waits for a slot if the page is large.
func (x *exchange) read(from io.Reader) ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(from, smallPage))
	if err != nil || n < smallPage {
		return b.Bytes(), err
	}
	if x.roomy == nil {
		if x.roomy, err = acquire(x.r.Context(), x.g.large); err != nil {
			return nil, err
		}
	}
	n, err = b.ReadFrom(io.LimitReader(from, maxPage-smallPage+1))
	if err == nil && n > maxPage-smallPage {
		err = errors.New("the page is too large")
	}
	return b.Bytes(), err
}

func (g *Gateway) failed(ctx context.Context, what string, reg registry.Registry, status int, err error) error {
	err = failed(what, reg, status, err)
	if f, ok := errors.AsType[*failure](err); ok && f.cause != nil {
		g.opts.Logger.DebugContext(ctx, "asking a registry for the sandbox", "error", f.cause)
	}
	return err
}

// pageCache keeps the latest pages.
type pageCache struct {
	mu    sync.Mutex
	pages map[string]*page
	order []string
	bytes int
}

func newPageCache() *pageCache { return &pageCache{pages: map[string]*page{}} }

func (c *pageCache) get(key string) *page {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pages[key]
}

func (c *pageCache) put(key string, p *page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pages[key] != nil || len(p.body) > maxKeptPage {
		return
	}
	c.pages[key] = p
	c.order = append(c.order, key)
	c.bytes += len(p.body)
	for c.bytes > maxKept {
		oldest := c.order[0]
		c.order = c.order[1:]
		c.bytes -= len(c.pages[oldest].body)
		delete(c.pages, oldest)
	}
}
