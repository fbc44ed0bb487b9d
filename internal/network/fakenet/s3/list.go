package s3

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

// maxPage is how many keys a page of a list has.
// no gap: clients ask for the next page
const maxPage = 1000

// listing is a request for a list.
type listing struct{ *call }

// objects answers both versions of the list of objects.
func (c *listing) objects() *Answer {
	q := c.Query
	second := q.Get("list-type") == "2"
	most, err := c.number("max-keys", maxPage)
	if err != nil {
		return c.fail(err)
	}
	after, names := q.Get("marker"), []string{"Prefix", "Marker", "Delimiter"}
	if second {
		names = []string{"Prefix", "StartAfter", "Delimiter"}
		if after = q.Get("start-after"); q.Has("continuation-token") {
			if after, err = url.QueryUnescape(q.Get("continuation-token")); err != nil || after == "" {
				return c.fail(objects.ErrInvalidArgument)
			}
		}
	}
	page, err := c.Store.List(c.bucket, objects.Query{Prefix: q.Get("prefix"), Delimiter: q.Get("delimiter"), After: after, Most: most})
	if err != nil {
		return c.fail(err)
	}
	e := el("ListBucketResult", text("Name", c.bucket))
	c.repeat(e, names...)
	e.add(text("MaxKeys", strconv.Itoa(most)), text("IsTruncated", strconv.FormatBool(page.More)))
	if second {
		e.add(text("KeyCount", strconv.Itoa(len(page.Objects)+len(page.Prefixes))))
		if q.Has("continuation-token") {
			e.add(text("ContinuationToken", q.Get("continuation-token")))
		}
		if page.More {
			e.add(text("NextContinuationToken", url.QueryEscape(page.Last)))
		}
	} else if page.More && q.Get("delimiter") != "" {
		e.add(text("NextMarker", c.encoded(page.Last)))
	}
	withOwner := !second || q.Get("fetch-owner") == "true"
	for _, o := range page.Objects {
		e.add(c.entry("Contents", o, withOwner))
	}
	c.prefixes(e, page)
	return result(e)
}

// entry describes an object in a list.
func (c *listing) entry(name string, o *objects.Object, withOwner bool) *element {
	e := el(name, text("Key", c.encoded(o.Key)), text("LastModified", stamp(o.Modified)), text("ETag", quoted(o.ETag)))
	if o.Checksum.Algorithm != "" {
		e.add(text("ChecksumAlgorithm", o.Checksum.Algorithm), text("ChecksumType", typeOf(o.Checksum)))
	}
	e.add(text("Size", strconv.Itoa(len(o.Data))))
	if withOwner {
		e.add(owner("Owner"))
	}
	e.add(text("StorageClass", classOf(o)))
	return e
}

func quoted(etag string) string { return `"` + etag + `"` }

func classOf(o *objects.Object) string {
	if class := o.Header(classHeader); class != "" {
		return class
	}
	return "STANDARD"
}

// versions lists the objects as versions, of which each has one.
func (c *listing) versions() *Answer {
	q := c.Query
	most, err := c.number("max-keys", maxPage)
	if err != nil {
		return c.fail(err)
	}
	page, err := c.Store.List(c.bucket, objects.Query{Prefix: q.Get("prefix"), Delimiter: q.Get("delimiter"), After: q.Get("key-marker"), Most: most})
	if err != nil {
		return c.fail(err)
	}
	e := el("ListVersionsResult", text("Name", c.bucket))
	c.repeat(e, "Prefix", "KeyMarker", "VersionIdMarker", "Delimiter")
	e.add(text("MaxKeys", strconv.Itoa(most)), text("IsTruncated", strconv.FormatBool(page.More)))
	if page.More {
		e.add(text("NextKeyMarker", c.encoded(page.Last)), text("NextVersionIdMarker", "null"))
	}
	for _, o := range page.Objects {
		version := c.entry("Version", o, true)
		version.add(text("VersionId", "null"), text("IsLatest", "true"))
		e.add(version)
	}
	c.prefixes(e, page)
	return result(e)
}

// repeat adds what the client asked for: of Prefix, the parameter prefix.
func (c *listing) repeat(e *element, names ...string) {
	parameters := map[string]string{
		"Prefix": "prefix", "Marker": "marker", "Delimiter": "delimiter", "StartAfter": "start-after", "KeyMarker": "key-marker",
		"VersionIdMarker": "version-id-marker", "UploadIdMarker": "upload-id-marker",
	}
	for _, name := range names {
		value := c.Query.Get(parameters[name])
		if value != "" || name == "Prefix" || strings.HasSuffix(name, "Marker") {
			e.add(text(name, c.encoded(value)))
		}
	}
	if kind := c.Query.Get("encoding-type"); kind == "url" {
		e.add(text("EncodingType", kind))
	}
}

func (c *listing) prefixes(e *element, page *objects.Page) {
	for _, p := range page.Prefixes {
		e.add(el("CommonPrefixes", text("Prefix", c.encoded(p))))
	}
}

// encoded is a key in the way that the client wants it: not all characters can stand in
// XML.
func (c *listing) encoded(key string) string {
	if c.Query.Get("encoding-type") != "url" {
		return key
	}
	return strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(key))
}

// uploads lists the uploads to a bucket.
func (c *listing) uploads() *Answer {
	list, err := c.Store.Uploads(c.bucket)
	if err != nil {
		return c.fail(err)
	}
	e := el("ListMultipartUploadsResult", text("Bucket", c.bucket))
	c.repeat(e, "Prefix", "KeyMarker", "UploadIdMarker", "Delimiter")
	e.add(text("MaxUploads", decimal(maxPage)), text("IsTruncated", "false"))
	for _, u := range list {
		if !strings.HasPrefix(u.Key, c.Query.Get("prefix")) || c.Query.Get("key-marker") != "" && u.Key <= c.Query.Get("key-marker") {
			continue
		}
		e.add(el("Upload", text("Key", c.encoded(u.Key)), text("UploadId", u.ID), owner("Initiator"), owner("Owner"),
			text("StorageClass", "STANDARD"), text("Initiated", stamp(u.Begun))))
	}
	return result(e)
}
