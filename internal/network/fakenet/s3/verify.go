package s3

import (
	"crypto/md5" //nolint:gosec // what clients verify bodies with
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

// algorithms are the checksums that clients choose from.
func algorithms() []string { return []string{"CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"} }

func headerOf(algorithm string) string { return "X-Amz-Checksum-" + strings.ToLower(algorithm) }

// verified is the body, once its digests are what the client said.
func (c *call) verified() ([]byte, error) {
	data, err := c.Draft.Body()
	if err != nil {
		return nil, err
	}
	if n, err := strconv.Atoi(c.Header.Get("X-Amz-Decoded-Content-Length")); err == nil && n != len(data) {
		return nil, objects.ErrIncompleteBody
	}
	if want := c.Header.Get("Content-MD5"); want != "" {
		sum := md5.Sum(data) //nolint:gosec // as above
		given, err := base64.StdEncoding.DecodeString(want)
		switch {
		case err != nil || len(given) != len(sum):
			return nil, fault("InvalidDigest")
		case !slices.Equal(given, sum[:]):
			return nil, fault("BadDigest")
		}
	}
	for _, a := range algorithms() {
		if want := c.Header.Get(headerOf(a)); want != "" && want != objects.Sum(a, data).Value {
			return nil, fault("BadDigest")
		}
	}
	return data, nil
}

// algorithm is the checksum that the client chose, "" if it chose none.
func (r *Request) algorithm() string {
	for _, a := range algorithms() {
		if r.Header.Get(headerOf(a)) != "" {
			return a
		}
	}
	for _, name := range []string{"X-Amz-Checksum-Algorithm", "X-Amz-Sdk-Checksum-Algorithm"} {
		if a := strings.ToUpper(r.Header.Get(name)); slices.Contains(algorithms(), a) {
			return a
		}
	}
	return ""
}

// sum adds a checksum to an answer.
func (a *Answer) sum(s objects.Checksum) *Answer {
	if s.Algorithm == "" {
		return a
	}
	return a.add(headerOf(s.Algorithm), s.Value).add("x-amz-checksum-type", typeOf(s))
}

// sumOf describes a checksum inside a document.
func sumOf(e *element, s objects.Checksum) *element {
	if s.Algorithm != "" {
		e.add(text("Checksum"+s.Algorithm, s.Value), text("ChecksumType", typeOf(s)))
	}
	return e
}

func typeOf(s objects.Checksum) string {
	if s.Composite {
		return "COMPOSITE"
	}
	return "FULL_OBJECT"
}
