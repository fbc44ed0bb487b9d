package s3

import (
	"net/http"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

// tagging reads and changes the tags of an object.
func (c *call) tagging() *Answer {
	switch c.Method {
	case http.MethodPut:
		e, err := c.body()
		if err != nil {
			return c.fail(err)
		}
		return c.done(c.Store.Tag(c.bucket, c.key, tagSet(e)), http.StatusOK)
	case http.MethodDelete:
		return c.done(c.Store.Tag(c.bucket, c.key, nil), http.StatusNoContent)
	}
	o, err := c.object()
	if err != nil {
		return c.fail(err)
	}
	set := el("TagSet")
	for _, t := range o.Tags {
		set.add(el("Tag", text("Key", t.Name), text("Value", t.Value)))
	}
	return result(el("Tagging", set))
}

// tagSet reads tags.
func tagSet(e *element) []objects.Pair {
	var tags []objects.Pair
	for _, set := range e.all("TagSet") {
		for _, t := range set.all("Tag") {
			tags = append(tags, objects.Pair{Name: t.get("Key"), Value: t.get("Value")})
		}
	}
	return tags
}

// attributes describes an object in a document.
func (c *call) attributes() *Answer {
	o, err := c.object()
	if err != nil {
		return c.fail(err)
	}
	e := el("GetObjectAttributesResponse", text("ETag", o.ETag))
	if o.Checksum.Algorithm != "" {
		e.add(sumOf(el("Checksum"), o.Checksum))
	}
	if len(o.Parts) > 0 {
		e.add(el("ObjectParts", text("PartsCount", decimal(len(o.Parts)))))
	}
	e.add(text("StorageClass", classOf(o)), text("ObjectSize", decimal(len(o.Data))))
	return result(e).add("Last-Modified", o.Modified.UTC().Format(http.TimeFormat))
}
