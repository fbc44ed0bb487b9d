package s3

import (
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

// maxBatch is how many objects one request removes.
// no gap: a request for more is refused, and was sent all the same
const maxBatch = 1000

// removeAll removes the objects that a document names.
func (c *call) removeAll() *Answer {
	e, err := c.body()
	if err != nil {
		return c.fail(err)
	}
	list := e.all("Object")
	if e.name != "Delete" || len(list) == 0 || len(list) > maxBatch {
		return c.fail(fault("MalformedXML"))
	}
	if _, err := c.Store.Bucket(c.bucket); err != nil {
		return c.fail(err)
	}
	quiet := e.get("Quiet") == "true"
	out := el("DeleteResult")
	for _, o := range list {
		key := o.get("Key")
		err := c.removes(key, o.get("VersionId"))
		switch {
		case err != nil:
			out.add(el("Error", text("Key", key), text("Code", err.Error()), text("Message", err.Error())))
		case !quiet:
			out.add(el("Deleted", text("Key", key)))
		}
	}
	return result(out)
}

func (c *call) removes(key, version string) error {
	if key == "" {
		return objects.ErrInvalidArgument
	}
	if version != "" && version != "null" {
		return fault("NoSuchVersion")
	}
	return c.Store.Remove(c.bucket, key, nil)
}
