package s3

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// setting is the name of what describes a bucket that the request is about, "" if it is
// about something else.
func (c *call) setting() string {
	for _, name := range slices.Sorted(maps.Keys(c.Query)) {
		if tables().Settings[name] != "" {
			return name
		}
	}
	return ""
}

// settings reads and changes what describes a bucket. The storage does not obey it.
func (c *call) settings(name string) *Answer {
	usual := tables().Settings[name]
	switch c.Method {
	case http.MethodGet:
		return c.readSetting(name, usual)
	case http.MethodPut:
		data, err := c.verified()
		if err == nil && (strings.HasPrefix(usual, "<List") || name == "policyStatus") {
			err = fault("NotImplemented")
		}
		if err == nil {
			err = wellFormed(name, data)
		}
		if err == nil {
			err = c.Store.Set(c.bucket, name, data)
		}
		return c.done(err, statusOf(name))
	case http.MethodDelete:
		return c.done(c.Store.Set(c.bucket, name, nil), http.StatusNoContent)
	}
	return c.fail(fault("MethodNotAllowed"))
}

func (c *call) readSetting(name, usual string) *Answer {
	value, err := c.Store.Setting(c.bucket, name)
	switch {
	case err != nil:
		return c.fail(err)
	case value == nil && !strings.HasPrefix(usual, "<"):
		return c.fail(fault(usual))
	case value == nil:
		root, rest, _ := strings.Cut(usual[1:], ">")
		root, closed := strings.CutSuffix(root, "/")
		if rest = ">" + rest; closed {
			rest = "/>"
		}
		value = []byte("<" + root + ` xmlns="` + namespace + `"` + rest)
	}
	kind := "application/xml"
	if name == "policy" {
		kind = "application/json"
	}
	return (&Answer{Status: http.StatusOK, Body: value}).add("Content-Type", kind)
}

// wellFormed checks a document before it is stored.
func wellFormed(name string, data []byte) error {
	if name != "policy" {
		_, err := parse(data)
		return err
	}
	if !json.Valid(data) || !strings.HasPrefix(strings.TrimSpace(string(data)), "{") {
		return fault("MalformedPolicy")
	}
	return nil
}

// statusOf is the status with which a change succeeds.
func statusOf(name string) int {
	if name == "policy" {
		return http.StatusNoContent
	}
	return http.StatusOK
}
