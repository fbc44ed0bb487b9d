package gateway

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxFile bounds one package file.
// no gap: beyond it the package manager gets an error, which is recorded
const maxFile = 1 << 30

const metadataSuffix = ".metadata"

var (
	oneRange     = lazyregexp.New(`^bytes=(?:[0-9]{1,15}-[0-9]{0,15}|-[0-9]{1,15})$`)
	contentRange = lazyregexp.New(`^bytes (?:[0-9]{1,15}-[0-9]{1,15}|\*)/(?:[0-9]{1,15}|\*)$`)
	oneETag      = lazyregexp.New(`^(?:W/)?"[!#-~]{0,200}"$`)
	cacheControl = lazyregexp.New(`^[A-Za-z0-9=, -]{1,200}$`)
)

// fileByToken answers with a file that one of our pages listed.
func (g *Gateway) fileByToken(x *exchange, to *target) error {
	if to.token == refusedFile {
		return refuse(http.StatusForbidden, "the registry names a place that is not asked")
	}
	o, ok := g.addresses.decrypt(to.token)
	if !ok || o.kind != to.kind {
		return refuse(http.StatusNotFound, "not an address this gateway gave out")
	}
	if o.kind == targetPyPIFile && to.file == o.file+metadataSuffix {
		u, err := url.Parse(o.address)
		if err != nil {
			return unknown()
		}
		u.Path, u.RawPath = u.Path+metadataSuffix, ""
		o.address, o.entry = u.String(), ""
	} else if to.file != o.file {
		return unknown()
	}
	x.shown = strings.Replace(x.shown, to.token, "*", 1)
	reg, ok := g.registryOf(o)
	if !ok {
		return unknown()
	}
	return g.stream(x, reg, o)
}

func (g *Gateway) registryOf(o *upstreamFile) (registry.Registry, bool) {
	if o.kind == targetNPMFile {
		return g.opts.Client.NPM(o.registry), true
	}
	indexes := g.opts.Client.PyPI()
	i, err := strconv.Atoi(o.registry)
	if err != nil || i < 0 || i >= len(indexes) {
		return registry.Registry{}, false
	}
	return indexes[i], true
}

// stream relays a file.
func (g *Gateway) stream(x *exchange, reg registry.Registry, o *upstreamFile) error {
	ctx, what := x.r.Context(), "the file "+strconv.Quote(o.file)
	asked := fileHeader(x.r.Header)
	resp, err := g.opts.Client.Do(ctx, &registry.Request{
		Registry: reg, Method: x.r.Method, URL: o.address, Accept: "*/*", Header: asked, What: what,
	})
	if err != nil {
		return g.failed(ctx, what, reg, 0, err)
	}
	defer resp.Body.Close()
	if !acceptable(resp.StatusCode, asked) {
		return g.failed(ctx, what, reg, resp.StatusCode, nil)
	}
	if err := checkPlace(reg.URL, resp.Request.URL); err != nil {
		return refuse(http.StatusForbidden, "the registry leads to a place that is not asked")
	}
	if resp.ContentLength > maxFile {
		return refuse(http.StatusForbidden, "the file is too large")
	}
	if err := g.affords(x.r.Method, resp.ContentLength); err != nil {
		return err
	}
	passHeader(x.w.Header(), resp)
	x.start(resp.StatusCode)
	if resp.StatusCode >= http.StatusMultipleChoices || x.r.Method == http.MethodHead {
		return nil
	}
	if err := g.copy(x, resp, o); err != nil {
		if _, ours := errors.AsType[*failure](err); ours || x.gone {
			return err
		}
		return g.failed(ctx, what, reg, 0, err)
	}
	return nil
}

// copy sends the body and records its digest.
func (g *Gateway) copy(x *exchange, resp *http.Response, o *upstreamFile) error {
	var sum = sha256.New()
	if o.kind == targetNPMFile {
		sum = sha512.New()
	}
	n, err := io.Copy(io.MultiWriter(x, sum), io.LimitReader(resp.Body, maxFile+1))
	switch {
	case err != nil:
		return err
	case n > maxFile:
		return refuse(http.StatusForbidden, "the file is too large")
	case resp.ContentLength >= 0 && n != resp.ContentLength:
		return errors.New("the file ends early")
	case o.entry == "":
	case resp.StatusCode != http.StatusOK:
		g.lock.add(o.entry + " partial")
	case o.kind == targetNPMFile:
		g.lock.add(o.entry + " sha512-" + base64.StdEncoding.EncodeToString(sum.Sum(nil)))
	default:
		g.lock.add(o.entry + " sha256:" + hex.EncodeToString(sum.Sum(nil)))
	}
	return nil
}

// acceptable reports whether a file may come with this status.
func acceptable(status int, asked http.Header) bool {
	switch status {
	case http.StatusOK:
		return true
	case http.StatusPartialContent, http.StatusRequestedRangeNotSatisfiable:
		return asked.Get("Range") != ""
	case http.StatusNotModified:
		return asked.Get("If-None-Match") != ""
	}
	return false
}

// fileHeader is the part of the client's headers that is passed on.
func fileHeader(from http.Header) http.Header {
	// Request the bytes as published, because their digest is checked.
	h := http.Header{"Accept-Encoding": {"identity"}}
	if r := from.Get("Range"); oneRange.MatchString(r) {
		h.Set("Range", r)
	}
	if tags := etags(from); len(tags) > 0 {
		h.Set("If-None-Match", strings.Join(tags, ", "))
	}
	return h
}

// etags are the entity tags of If-None-Match, none if one of them is invalid.
func etags(h http.Header) []string {
	value := h.Get("If-None-Match")
	if value == "" || len(value) > 1000 {
		return nil
	}
	var tags []string
	for tag := range strings.SplitSeq(value, ",") {
		tag = strings.TrimSpace(tag)
		if !oneETag.MatchString(tag) {
			return nil
		}
		tags = append(tags, tag)
	}
	return tags
}

// passHeader passes on some of the registry's headers.
func passHeader(to http.Header, resp *http.Response) {
	to.Set("Content-Type", "application/octet-stream")
	if t, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type")); err == nil {
		to.Set("Content-Type", t)
	}
	if resp.ContentLength >= 0 && resp.StatusCode < http.StatusMultipleChoices {
		to.Set("Content-Length", strconv.FormatInt(resp.ContentLength, 10))
	}
	pass := func(name string, shape *lazyregexp.Regexp) {
		if v := resp.Header.Get(name); shape.MatchString(v) {
			to.Set(name, v)
		}
	}
	pass("ETag", oneETag)
	pass("Cache-Control", cacheControl)
	pass("Content-Range", contentRange)
	if resp.Header.Get("Accept-Ranges") == "bytes" {
		to.Set("Accept-Ranges", "bytes")
	}
	if t, err := http.ParseTime(resp.Header.Get("Last-Modified")); err == nil {
		to.Set("Last-Modified", t.UTC().Format(http.TimeFormat))
	}
}
