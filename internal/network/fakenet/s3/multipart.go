package s3

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

// upload is a request about an upload in parts.
type upload struct{ *call }

func (c *upload) begin() *Answer {
	o, err := c.made()
	if err != nil {
		return c.fail(err)
	}
	u := objects.Upload{
		Key: c.key, Begun: c.Now, Headers: o.Headers, Tags: o.Tags, Algorithm: c.algorithm(),
		Whole: strings.EqualFold(c.Header.Get("X-Amz-Checksum-Type"), "full_object"),
	}
	id, err := c.Store.Begin(c.bucket, u)
	if err != nil {
		return c.fail(err)
	}
	a := result(el("InitiateMultipartUploadResult", text("Bucket", c.bucket), text("Key", c.key), text("UploadId", id)))
	if u.Algorithm != "" {
		a.add("x-amz-checksum-algorithm", u.Algorithm).add("x-amz-checksum-type", typeOf(objects.Checksum{Composite: !u.Whole && u.Algorithm != "CRC64NVME"}))
	}
	return a
}

func (c *upload) put() *Answer {
	number, err := strconv.Atoi(c.Query.Get("partNumber"))
	if err != nil {
		return c.fail(objects.ErrInvalidArgument)
	}
	p := &objects.Part{Number: number, Modified: c.Now}
	if c.source() != "" {
		return c.copied(p)
	}
	data, err := c.verified()
	if err != nil {
		return c.fail(err)
	}
	p.Checksum = objects.Sum(c.algorithm(), data)
	stored, err := c.Store.PutPart(c.bucket, c.key, c.Query.Get("uploadId"), c.Draft, p)
	if err != nil {
		return c.fail(err)
	}
	a := empty(http.StatusOK).add("ETag", quoted(stored.ETag)).add("x-amz-server-side-encryption", "AES256")
	if s := stored.Checksum; s.Algorithm != "" {
		a.add(headerOf(s.Algorithm), s.Value)
	}
	return a
}

// copied makes a part of a stored object.
func (c *upload) copied(p *objects.Part) *Answer {
	from, _, err := c.sourceObject()
	if err != nil {
		return c.fail(err)
	}
	data := from.Data
	if wanted := c.Header.Get("X-Amz-Copy-Source-Range"); wanted != "" {
		first, last, ok, err := span(wanted, len(data))
		if err != nil || !ok {
			return c.fail(objects.ErrInvalidRange)
		}
		data = data[first:last]
	}
	stored, err := c.Store.CopyPart(c.bucket, c.key, c.Query.Get("uploadId"), data, p)
	if err != nil {
		return c.fail(err)
	}
	return result(el("CopyPartResult", text("ETag", quoted(stored.ETag)), text("LastModified", stamp(stored.Modified))))
}

func (c *upload) complete() *Answer {
	data, err := c.Draft.Body() // a checksum beside it is that of the object
	if err != nil {
		return c.fail(err)
	}
	e, err := parse(data)
	if err != nil {
		return c.fail(err)
	}
	if e.name != "CompleteMultipartUpload" {
		return c.fail(fault("MalformedXML"))
	}
	var chosen []objects.Chosen
	for _, p := range e.all("Part") {
		number, err := strconv.Atoi(p.get("PartNumber"))
		if err != nil {
			return c.fail(fault("MalformedXML"))
		}
		chosen = append(chosen, objects.Chosen{Number: number, ETag: strings.Trim(p.get("ETag"), `"`)})
	}
	o, err := c.Store.Complete(c.bucket, c.key, c.Query.Get("uploadId"), chosen, c.Now, c.condition())
	if err != nil {
		return c.fail(err)
	}
	return result(sumOf(el("CompleteMultipartUploadResult", text("Location", c.address()), text("Bucket", c.bucket), text("Key", c.key), text("ETag", quoted(o.ETag))), o.Checksum))
}

// parts lists the parts of an upload.
func (c *upload) parts() *Answer {
	most, err := c.number("max-parts", maxPage)
	if err != nil {
		return c.fail(err)
	}
	after, err := c.number("part-number-marker", 1<<31-1)
	if err != nil {
		return c.fail(err)
	}
	if !c.Query.Has("part-number-marker") {
		after = 0
	}
	u, list, err := c.Store.Upload(c.bucket, c.key, c.Query.Get("uploadId"))
	if err != nil {
		return c.fail(err)
	}
	e := el("ListPartsResult", text("Bucket", c.bucket), text("Key", c.key), text("UploadId", u.ID), owner("Initiator"), owner("Owner"),
		text("StorageClass", "STANDARD"), text("PartNumberMarker", decimal(after)), text("MaxParts", decimal(most)))
	shown, last := 0, after
	for _, p := range list {
		if p.Number <= after {
			continue
		}
		if shown >= most {
			shown++
			break
		}
		shown, last = shown+1, p.Number
		item := el("Part", text("PartNumber", decimal(p.Number)), text("LastModified", stamp(p.Modified)), text("ETag", quoted(p.ETag)), text("Size", decimal(len(p.Data))))
		if s := p.Checksum; s.Algorithm != "" {
			item.add(text("Checksum"+s.Algorithm, s.Value))
		}
		e.add(item)
	}
	e.add(text("IsTruncated", strconv.FormatBool(shown > most)), text("NextPartNumberMarker", decimal(last)))
	return result(e)
}
