package s3

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

// fault is an error by its name.
func fault(name string) error { return objects.Error(name) }

// add adds a header. Control characters are left out: a value may be the client's.
func (a *Answer) add(name, value string) *Answer {
	a.Fields = append(a.Fields, objects.Pair{Name: name, Value: oneLine(value)})
	return a
}

func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

// empty is an answer without a body.
func empty(status int) *Answer { return &Answer{Status: status} }

// done is the answer to what has no result: a status, or the error.
func (c *call) done(err error, status int) *Answer {
	if err != nil {
		return c.fail(err)
	}
	return empty(status)
}

// fail is the answer with an error.
func (c *call) fail(err error) *Answer {
	var f objects.Error
	if !errors.As(err, &f) {
		f = "InternalError"
	}
	status, message := http.StatusInternalServerError, "We encountered an internal error. Please try again."
	if number, sentence, ok := strings.Cut(tables().Faults[string(f)], " "); ok {
		if n, err := strconv.Atoi(number); err == nil {
			status, message = n, sentence
		}
	}
	e := el("Error", text("Code", string(f)), text("Message", message))
	switch f {
	case objects.ErrNoSuchKey:
		e.add(text("Key", c.key))
	case objects.ErrNoSuchUpload:
		e.add(text("UploadId", c.Query.Get("uploadId")))
	case objects.ErrInvalidRange:
		e.add(text("RangeRequested", c.Header.Get("Range")))
	}
	if c.bucket != "" {
		e.add(text("BucketName", c.bucket))
	}
	e.add(text("Resource", c.Path), text("RequestId", c.ID), text("HostId", c.ID))
	a := document(status, e)
	a.Fault = string(f)
	return a
}
