package s3

import (
	"net/http"
	"strconv"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

// The owner of everything.
const (
	ownerID   = "75aa57f09aa0c8caeab4f8c24e99d10f8e7faeebf76c078efc7c6caea54ba06a"
	ownerName = "app"
)

const usualRegion = "us-east-1"

func owner(name string) *element {
	return el(name, text("ID", ownerID), text("DisplayName", ownerName))
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// regionOf is where a bucket is: where it was made, or else where the client looks for
// it.
func (c *call) regionOf(b objects.Bucket) string {
	switch {
	case b.Region != "":
		return b.Region
	case c.region != "":
		return c.region
	}
	return usualRegion
}

// buckets lists the buckets.
func (c *call) buckets() *Answer {
	most, err := c.number("max-buckets", 10_000)
	if err != nil {
		return c.fail(err)
	}
	list := el("Buckets")
	e := el("ListAllMyBucketsResult", owner("Owner"), list)
	last := ""
	for _, b := range c.Store.Buckets(c.Query.Get("prefix"), c.Query.Get("continuation-token")) {
		if len(list.inner) >= most {
			e.add(text("ContinuationToken", last))
			break
		}
		item := el("Bucket", text("Name", b.Name), text("CreationDate", stamp(b.Created)))
		if c.Query.Has("max-buckets") {
			item.add(text("BucketRegion", c.regionOf(b)))
		}
		list.add(item)
		last = b.Name
	}
	if p := c.Query.Get("prefix"); p != "" {
		e.add(text("Prefix", p))
	}
	return result(e)
}

func (c *call) createBucket() *Answer {
	b := objects.Bucket{Name: c.bucket, Created: c.Now}
	data, err := c.verified()
	if err != nil {
		return c.fail(err)
	}
	if len(data) > 0 {
		e, err := parse(data)
		if err != nil {
			return c.fail(err)
		}
		b.Region = e.get("LocationConstraint")
	}
	if len(b.Region) > maxRegion {
		return c.fail(objects.ErrInvalidArgument)
	}
	if err := c.Store.Create(b); err != nil {
		return c.fail(err)
	}
	return empty(http.StatusOK).add("Location", "/"+c.bucket)
}

// maxRegion is how long the name of a region may be.
// no gap: what is refused was sent, and is evidence
const maxRegion = 64

func (c *call) headBucket() *Answer {
	b, err := c.Store.Bucket(c.bucket)
	if err != nil {
		return c.fail(err)
	}
	return empty(http.StatusOK).add("x-amz-bucket-region", c.regionOf(b)).add("x-amz-access-point-alias", "false").add("Content-Type", "application/xml")
}

func (c *call) location() *Answer {
	b, err := c.Store.Bucket(c.bucket)
	if err != nil {
		return c.fail(err)
	}
	region := c.regionOf(b)
	if region == usualRegion {
		region = ""
	}
	return result(text("LocationConstraint", region))
}

// acl says that the owner may do everything, and nobody else anything.
func (c *call) acl() *Answer {
	_, err := c.Store.Bucket(c.bucket)
	if c.key != "" {
		_, err = c.object()
	}
	if err != nil {
		return c.fail(err)
	}
	grantee := owner("Grantee")
	grantee.attributes = ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser"`
	return result(el("AccessControlPolicy", owner("Owner"), el("AccessControlList", el("Grant", grantee, text("Permission", "FULL_CONTROL")))))
}

// number is the value of a parameter that bounds a list, and at most so many.
func (r *Request) number(name string, most int) (int, error) {
	given := r.Query.Get(name)
	if given == "" {
		return most, nil
	}
	n, err := strconv.Atoi(given)
	if err != nil || n < 0 {
		return 0, objects.ErrInvalidArgument
	}
	return min(n, most), nil
}
