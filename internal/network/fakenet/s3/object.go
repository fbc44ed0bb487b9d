package s3

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

func decimal(n int) string { return strconv.Itoa(n) }

// get answers GET and HEAD.
func (c *call) get() *Answer {
	o, err := c.object()
	if err != nil {
		return c.fail(err)
	}
	switch status := unread(c.Header, "", o); status {
	case 0:
	case http.StatusNotModified:
		return empty(status).add("ETag", quoted(o.ETag)).add("Last-Modified", o.Modified.UTC().Format(http.TimeFormat))
	default:
		return c.fail(fault("PreconditionFailed"))
	}
	a := c.described(&Answer{Status: http.StatusOK, Body: o.Data}, o)
	first, last, ok, err := c.rangeOf(o)
	switch {
	case err != nil:
		return c.fail(err).add("Content-Range", "bytes */"+decimal(len(o.Data)))
	case ok:
		a.Status, a.Body = http.StatusPartialContent, o.Data[first:last]
		a.add("Content-Range", "bytes "+decimal(first)+"-"+decimal(last-1)+"/"+decimal(len(o.Data)))
	case strings.EqualFold(c.Header.Get("X-Amz-Checksum-Mode"), "enabled"):
		a.sum(o.Checksum)
	}
	return a
}

// rangeOf is the part of an object that the client wants, up to last; ok is false if it
// wants all.
func (c *call) rangeOf(o *objects.Object) (first, last int, ok bool, err error) {
	if number := c.Query.Get("partNumber"); number != "" {
		n, err := strconv.Atoi(number)
		parts := o.Parts
		if len(parts) == 0 {
			parts = []int{len(o.Data)}
		}
		if err != nil || n < 1 || n > len(parts) {
			return 0, 0, false, objects.ErrInvalidRange
		}
		for _, size := range parts[:n-1] {
			first += size
		}
		return first, first + parts[n-1], len(o.Data) > 0, nil
	}
	return span(c.Header.Get("Range"), len(o.Data))
}

// span reads a range: "bytes=A-B", "bytes=A-" or "bytes=-N". What is no range, or
// several, is no wish.
func span(header string, size int) (first, last int, ok bool, err error) {
	spec, found := strings.CutPrefix(strings.ToLower(strings.TrimSpace(header)), "bytes=")
	from, to, dash := strings.Cut(spec, "-")
	a, okA := position(from)
	b, okB := position(to)
	switch {
	case !found || !dash || from == "" && to == "" || !okA || !okB || from != "" && to != "" && b < a:
		return 0, 0, false, nil
	case from == "" && (b == 0 || size == 0), from != "" && a >= size:
		return 0, 0, false, objects.ErrInvalidRange
	case from == "":
		return max(0, size-b), size, true, nil
	case to == "":
		return a, size, true, nil
	}
	return a, min(b, size-1) + 1, true, nil
}

// position reads a number of a range. One that is too large is as good as any that is.
func position(s string) (int, bool) {
	const large = 1 << 40
	if strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	if s = strings.TrimLeft(s, "0"); len(s) > 12 {
		return large, true
	}
	n, err := strconv.Atoi("0" + s)
	return n, err == nil
}

// made is an object with what the request says of it.
func (c *call) made() (*objects.Object, error) {
	tags, err := tagsOf(c.Header.Get("X-Amz-Tagging"))
	return &objects.Object{Headers: headers(c.Header), Tags: tags, Modified: c.Now}, err
}

func (c *call) putOrCopy() *Answer {
	if c.source() != "" {
		return c.copied()
	}
	data, err := c.verified()
	if err != nil {
		return c.fail(err)
	}
	o, err := c.made()
	if err != nil {
		return c.fail(err)
	}
	o.Checksum = objects.Sum(c.algorithm(), data)
	stored, err := c.Store.Put(c.bucket, c.key, c.Draft, o, c.condition())
	if err != nil {
		return c.fail(err)
	}
	return empty(http.StatusOK).add("ETag", quoted(stored.ETag)).add("x-amz-server-side-encryption", "AES256").sum(stored.Checksum)
}

// source is the object that is copied, "" if none is.
func (r *Request) source() string {
	if s := r.Header.Get("X-Amz-Copy-Source"); s != "" {
		return s
	}
	return r.Header.Get("X-Goog-Copy-Source")
}

// sourceObject finds the object that is copied, and whether it is the one that the
// request is about.
func (c *call) sourceObject() (o *objects.Object, self bool, err error) {
	name, query, _ := strings.Cut(c.source(), "?")
	if name, err = url.PathUnescape(name); err != nil {
		return nil, false, objects.ErrInvalidArgument
	}
	if v := strings.TrimPrefix(query, "versionId="); v != "" && v != "null" {
		return nil, false, fault("NoSuchVersion")
	}
	bucket, key, _ := strings.Cut(strings.TrimPrefix(name, "/"), "/")
	if o, err = c.Store.Get(bucket, key); err != nil {
		return nil, false, err
	}
	if unread(c.Header, "X-Amz-Copy-Source-", o) != 0 {
		return nil, false, fault("PreconditionFailed")
	}
	return o, bucket == c.bucket && key == c.key, nil
}

func (c *call) copied() *Answer {
	from, self, err := c.sourceObject()
	if err != nil {
		return c.fail(err)
	}
	o, err := c.made()
	if err != nil {
		return c.fail(err)
	}
	replaces := strings.EqualFold(c.Header.Get("X-Amz-Metadata-Directive"), "replace")
	if self && !replaces && c.Header.Get("X-Amz-Storage-Class") == "" {
		return c.fail(fault("InvalidRequest"))
	}
	if !replaces {
		o.Headers = from.Headers
	}
	if !strings.EqualFold(c.Header.Get("X-Amz-Tagging-Directive"), "replace") {
		o.Tags = from.Tags
	}
	o.Checksum = from.Checksum
	if a := c.algorithm(); a != "" && a != from.Checksum.Algorithm {
		o.Checksum = objects.Sum(a, from.Data)
	}
	stored, err := c.Store.Copy(from, c.bucket, c.key, o, c.condition())
	if err != nil {
		return c.fail(err)
	}
	return result(sumOf(el("CopyObjectResult", text("ETag", quoted(stored.ETag)), text("LastModified", stamp(stored.Modified))), stored.Checksum))
}
