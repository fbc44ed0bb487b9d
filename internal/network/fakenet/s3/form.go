package s3

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"path"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

// Bounds of a form.
// no gap: what is refused was sent, and is evidence
const (
	maxFields = 50
	maxField  = 20 << 10
)

// isForm tells whether a file comes in a form, as from a page.
func (c *call) isForm() bool {
	return c.Method == http.MethodPost && c.key == "" && strings.HasPrefix(c.Header.Get(kindHeader), "multipart/form-data")
}

// form stores a file that comes in a form.
func (c *call) form() *Answer {
	data, err := c.Draft.Body()
	if err != nil {
		return c.fail(err)
	}
	fields, file, err := fieldsOf(c.Header.Get(kindHeader), data)
	if err != nil {
		return c.fail(err)
	}
	c.key = fields.Get("Key")
	c.Draft.Narrow(file)
	tags, err := formTags(fields.Get("Tagging"))
	if err != nil {
		return c.fail(err)
	}
	o, err := c.Store.Put(c.bucket, c.key, c.Draft, &objects.Object{Headers: headers(fields), Tags: tags, Modified: c.Now}, nil)
	if err != nil {
		return c.fail(err)
	}
	a := empty(http.StatusNoContent)
	if to := fields.Get("Success_action_redirect"); to != "" {
		a = empty(http.StatusSeeOther)
	} else if n, err := strconv.Atoi(fields.Get("Success_action_status")); err == nil && n == http.StatusOK {
		a = empty(n)
	} else if err == nil && n == http.StatusCreated {
		a = document(n, el("PostResponse", text("Location", c.address()), text("Bucket", c.bucket), text("Key", c.key), text("ETag", quoted(o.ETag))))
	}
	return a.add("ETag", quoted(o.ETag)).add("Location", c.address())
}

// fieldsOf reads the fields of a form, as headers, up to the file, which is the last.
func fieldsOf(kind string, data []byte) (http.Header, []byte, error) {
	malformed := fault("MalformedPOSTRequest")
	_, params, err := mime.ParseMediaType(kind)
	if err != nil || params["boundary"] == "" {
		return nil, nil, malformed
	}
	fields := http.Header{}
	r := multipart.NewReader(bytes.NewReader(data), params["boundary"])
	for range maxFields {
		part, err := r.NextRawPart()
		if err != nil {
			return nil, nil, malformed
		}
		most := int64(maxField)
		if part.FormName() == "file" {
			most = int64(len(data))
		}
		value, err := read(part, most)
		if err != nil {
			return nil, nil, malformed
		}
		if part.FormName() != "file" {
			fields.Add(textproto.CanonicalMIMEHeaderKey(part.FormName()), string(value))
			continue
		}
		if fields.Get("Key") == "" {
			return nil, nil, objects.ErrInvalidArgument
		}
		fields.Set("Key", strings.ReplaceAll(fields.Get("Key"), "${filename}", path.Base(part.FileName())))
		return fields, value, nil
	}
	return nil, nil, malformed
}

// read reads all, which is at most so much.
func read(from io.Reader, most int64) ([]byte, error) {
	var b bytes.Buffer
	_, err := io.CopyN(&b, from, most+1)
	if !errors.Is(err, io.EOF) {
		return nil, errors.New("too long")
	}
	return b.Bytes(), nil
}

// formTags reads tags that stand in a form, as XML.
func formTags(value string) ([]objects.Pair, error) {
	if value == "" {
		return nil, nil
	}
	e, err := parse([]byte(value))
	if err != nil {
		return nil, err
	}
	return tagSet(e), nil
}
