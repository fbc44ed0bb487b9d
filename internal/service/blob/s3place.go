package blob

import (
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// amazon is the default endpoint.
const amazon = "https://s3.amazonaws.com"

// bucket is a parsed s3:// URL.
type bucket struct {
	name, prefix string
	endpoint     *url.URL
	region       string
}

// parse reads s3://BUCKET/PREFIX?endpoint=URL&region=NAME. Errors do not repeat the
// URL, which may contain a secret.
func parse(place string) (*bucket, error) {
	u, err := url.Parse(place)
	if err != nil {
		return nil, usage("--files is not a valid s3:// URL")
	}
	if u.User != nil {
		return nil, usage("--files must not hold credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil || u.Fragment != "" {
		return nil, usage("--files has an improper query; it takes endpoint=URL and region=NAME")
	}
	b := &bucket{name: u.Host, prefix: strings.Trim(u.Path, "/"), region: "us-east-1"}
	endpoint := amazon
	for key, values := range query {
		switch {
		case len(values) != 1 || values[0] == "":
			return nil, usage("--files: endpoint and region each take one value")
		case key == "endpoint":
			endpoint = values[0]
		case key == "region":
			b.region = values[0]
		default:
			return nil, usage("--files: a bucket takes endpoint and region, and nothing else")
		}
	}
	if b.endpoint, err = url.Parse(endpoint); err != nil || !usable(b.endpoint) {
		return nil, usage("--files: the endpoint must be http:// or https:// with a host and a port, and nothing else")
	}
	if s3utils.CheckValidBucketNameStrict(b.name) != nil {
		return nil, usage("--files: a bucket's name has 3 to 63 small letters, digits, dots and dashes")
	}
	if b.prefix != "" && (len(b.prefix) > maxPrefix || !proper(b.prefix)) {
		return nil, usage("--files: what follows the bucket is a path without dots at the beginning of its parts")
	}
	return b, nil
}

func usable(u *url.URL) bool {
	return (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil &&
		strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == ""
}

// key is the name of a file in the bucket.
func (b *bucket) key(name string) string {
	if b.prefix == "" {
		return name
	}
	return b.prefix + "/" + name
}

// below is the key prefix of a directory.
func (b *bucket) below(dir string) string {
	switch {
	case dir != ".":
		return b.key(dir) + "/"
	case b.prefix != "":
		return b.prefix + "/"
	}
	return ""
}

// file is the name of the file with a key, "" if there is none.
func (b *bucket) file(key string) string {
	name, ok := strings.CutPrefix(key, b.below("."))
	if !ok || check(name) != nil {
		return ""
	}
	return name
}
