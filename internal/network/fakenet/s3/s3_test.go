package s3

import (
	"encoding/base64"
	"encoding/xml"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
)

const signature = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20260301/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=00"

// client asks one store at one host.
type client struct {
	store *objects.Store
	host  string
	login string // the header Authorization
}

func newClient() *client {
	return &client{store: objects.New(), host: "localhost:9000", login: signature}
}

// ask sends a request: "GET /bucket/key?query", headers as "Name: value".
func (c *client) ask(line, body string, headers ...string) *Answer {
	method, target, _ := strings.Cut(line, " ")
	u, err := url.Parse("http://x" + target)
	if err != nil {
		u = &url.URL{Path: target}
	}
	r := &Request{
		Method: method, Scheme: "http", Host: c.host, Path: u.Path, Query: u.Query(), Header: http.Header{},
		Store: c.store, Draft: c.store.Draft(), Now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), ID: "1F",
	}
	defer r.Draft.Discard()
	if c.login != "" {
		r.Header.Set("Authorization", c.login)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	_, _ = r.Draft.Write([]byte(body))
	return Reply(r)
}

func (a *Answer) header(name string) string {
	for _, f := range a.Fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Every table is there, every default is XML, and every error of the store has a
// sentence.
func TestTables(t *testing.T) {
	for name, usual := range tables().Settings {
		if !strings.HasPrefix(usual, "<") {
			if tables().Faults[usual] == "" {
				t.Errorf("%s: %s has no sentence", name, usual)
			}
			continue
		}
		if _, err := parse([]byte(usual)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := &call{Request: &Request{}}
	for name := range tables().Faults {
		if a := c.fail(fault(name)); a.Status < 400 || a.Status == http.StatusInternalServerError || !strings.Contains(string(a.Body), "<Code>"+name+"</Code>") {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
	}
	for _, f := range []objects.Error{
		objects.ErrNoSuchBucket, objects.ErrNoSuchKey, objects.ErrNoSuchUpload, objects.ErrBucketAlreadyOwnedByYou, objects.ErrBucketNotEmpty, objects.ErrInvalidBucketName,
		objects.ErrInvalidArgument, objects.ErrInvalidURI, objects.ErrInvalidPart, objects.ErrInvalidPartOrder, objects.ErrInvalidTag, objects.ErrInvalidRange, objects.ErrEntityTooSmall,
		objects.ErrEntityTooLarge, objects.ErrIncompleteBody, objects.ErrKeyTooLong, objects.ErrMetadataTooLarge, objects.ErrTooManyBuckets, objects.ErrStorageFull, objects.ErrSlowDown,
	} {
		if tables().Faults[string(f)] == "" {
			t.Errorf("%s has no sentence", f)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, tt := range []struct {
		host, path  string
		bucket, key string
		known       bool
	}{
		{"s3.amazonaws.com", "/b/k/l", "b", "k/l", true},
		{"s3.eu-west-1.amazonaws.com", "/b", "b", "", true},
		{"s3-eu-west-1.amazonaws.com:443", "/b/", "b", "", true},
		{"s3.dualstack.eu-west-1.amazonaws.com", "/b//k", "b", "/k", true},
		{"b.s3.amazonaws.com", "/k", "b", "k", true},
		{"my.b.s3.eu-west-1.amazonaws.com.", "/", "my.b", "", true},
		{"s3-b.s3.eu-west-1.amazonaws.com", "/../k", "s3-b", "../k", true},
		{"b.s3-accelerate.amazonaws.com", "/k", "b", "k", true},
		{"b.s3.cn-north-1.amazonaws.com.cn", "/k", "b", "k", true},
		{"acct.r2.cloudflarestorage.com", "/b/k", "b", "k", true},
		{"b.acct.r2.cloudflarestorage.com", "/k", "b", "k", true},
		{"acct.eu.r2.cloudflarestorage.com", "/b/k", "b", "k", true},
		{"storage.googleapis.com", "/b/k", "b", "k", true},
		{"b.storage.googleapis.com", "/k", "b", "k", true},
		{"nyc3.digitaloceanspaces.com", "/b/k", "b", "k", true},
		{"b.nyc3.digitaloceanspaces.com", "/k", "b", "k", true},
		{"b.s3.us-west-002.backblazeb2.com", "/k", "b", "k", true},
		{"localhost:9000", "/b/k", "b", "k", false},
		{"127.0.0.1:9000", "/b/k", "b", "k", false},
		{"[::1]:9000", "/b/k", "b", "k", false},
		{"storage.company.example", "/b/k", "b", "k", false},
		{"app-exports.company.example", "/k", "app-exports", "k", false},
		{"ec2.amazonaws.com", "/", "", "", false},
		{"evils3.amazonaws.com.evil.example", "/b/k", "b", "k", false},
	} {
		p := placeOf(&Request{Method: "GET", Host: tt.host, Path: tt.path, Store: objects.New()})
		if p.bucket != tt.bucket || p.key != tt.key || p.known != tt.known {
			t.Errorf("%s%s: %+v", tt.host, tt.path, p)
		}
	}
}

// Who is answered, and who is left to others.
func TestOurs(t *testing.T) {
	const address = "?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=A%2F20260301%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Signature=00"
	for _, tt := range []struct {
		name, host, login, line string
		headers                 []string
		want                    bool
	}{
		{"signed", "anything.example", signature, "GET /", nil, true},
		{"signed for all regions", "anything.example", "AWS4-ECDSA-P256-SHA256 Credential=A/20260301/s3/aws4_request, Signature=00", "GET /", nil, true},
		{"signed for another service", "anything.example", strings.ReplaceAll(signature, "/s3/", "/ec2/"), "GET /", nil, false},
		{"signed in the old way", "s3.amazonaws.com", "AWS AKIA:c2lnbmF0dXJl", "GET /", nil, true},
		{"signed for Google", "storage.googleapis.com", "GOOG4-HMAC-SHA256 Credential=G/20260301/auto/storage/goog4_request, Signature=00", "GET /", nil, true},
		{"with a bearer", "storage.googleapis.com", "Bearer x", "GET /storage/v1/b", nil, false},
		{"signed, of Google's other interface", "storage.googleapis.com", signature, "GET /storage/v1/b", nil, false},
		{"a question", "s3.amazonaws.com", signature, "OPTIONS /app-exports/", nil, false},
		{"a site", "b.s3-website-us-east-1.amazonaws.com", "", "GET /", nil, false},
		{"a control", "1234.s3-control.us-east-1.amazonaws.com", signature, "GET /v20180820/jobs", nil, false},

		{"a file of somebody", "evil.s3.amazonaws.com", "", "GET /stage2.sh", nil, false},
		{"the same by an address", "evil.s3.amazonaws.com", "", "GET /stage2.sh" + address, nil, false},
		{"a release", "objects.githubusercontent.example", "", "GET /releases/1" + address, nil, false},
		{"a stored file by an address", "localhost:9000", "", "GET /app-exports/none" + address, nil, true},
		{"a public file", "app-exports.s3.amazonaws.com", "", "GET /logs/2024-04-22.log", nil, true},
		{"a public list", "public.s3.amazonaws.com", "", "GET /?list-type=2", nil, true},
		{"a page", "public.s3.amazonaws.com", "", "GET /", nil, false},
		{"an upload to somebody", "evil.s3.amazonaws.com", "", "PUT /loot", nil, true},
		{"an upload by an address", "files.example", "", "PUT /b-1/loot" + address, nil, true},
		{"a form", "evil.s3.amazonaws.com", "", "POST /", []string{"Content-Type: multipart/form-data; boundary=x"}, true},
		{"another form", "evil.s3.amazonaws.com", "", "POST /", nil, false},
		{"an ordinary host", "files.example", "", "PUT /b/loot", nil, false},
	} {
		c := newClient()
		c.host, c.login = tt.host, tt.login
		if got := c.ask(tt.line, "", tt.headers...); (got != nil) != tt.want {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// A client that begins with the name of a bucket finds it, with the first objects.
func TestConfiguredBucket(t *testing.T) {
	for _, first := range []string{"HEAD /configured", "GET /configured?location", "GET /configured?list-type=2", "PUT /configured/k"} {
		c := newClient()
		if a := c.ask(first, ""); a.Status != http.StatusOK {
			t.Errorf("%s: %+v", first, a)
		}
		if a := c.ask("GET /configured/README.txt", ""); a.Status != http.StatusOK {
			t.Errorf("%s: %+v", first, a)
		}
		if a := c.ask("GET /another?list-type=2", ""); a.Fault != "NoSuchBucket" {
			t.Errorf("%s: %+v", first, a)
		}
	}
	c := newClient()
	if a := c.ask("PUT /configured", ""); a.Status != http.StatusOK || c.ask("GET /configured/README.txt", "").Fault != "NoSuchKey" {
		t.Errorf("%+v", a)
	}
}

func TestErrors(t *testing.T) {
	c := newClient()
	c.ask("GET /", "")
	for _, tt := range []struct {
		line, body string
		headers    []string
		status     int
		fault      string
	}{
		{"GET /none-1/", "", nil, 404, "NoSuchBucket"},
		{"PUT /none-1/k", "x", nil, 404, "NoSuchBucket"},
		{"PUT /app-exports", "", nil, 409, "BucketAlreadyOwnedByYou"},
		{"PUT /UPPER", "", nil, 400, "InvalidBucketName"},
		{"DELETE /app-exports", "", nil, 409, "BucketNotEmpty"},
		{"GET /app-exports/none", "", nil, 404, "NoSuchKey"},
		{"HEAD /app-exports/none", "", nil, 404, "NoSuchKey"},
		{"GET /app-exports/logs/2024-04-22.log?versionId=3", "", nil, 404, "NoSuchVersion"},
		{"GET /app-exports/logs/2024-04-22.log?partNumber=2", "", nil, 416, "InvalidRange"},
		{"GET /app-exports/logs/2024-04-22.log", "", []string{"Range: bytes=500-"}, 416, "InvalidRange"},
		{"GET /app-exports/logs/2024-04-22.log", "", []string{"If-Match: \"x\""}, 412, "PreconditionFailed"},
		{"PUT /app-exports/logs/2024-04-22.log", "", []string{"If-None-Match: *"}, 412, "PreconditionFailed"},
		{"PUT /app-exports/k", "x", []string{"Content-MD5: no"}, 400, "InvalidDigest"},
		{"PUT /app-exports/k", "x", []string{"Content-MD5: " + base64.StdEncoding.EncodeToString(make([]byte, 16))}, 400, "BadDigest"},
		{"PUT /app-exports/k", "x", []string{"x-amz-checksum-sha256: AAAA"}, 400, "BadDigest"},
		{"PUT /app-exports/k", "x", []string{"x-amz-decoded-content-length: 5"}, 400, "IncompleteBody"},
		{"PUT /app-exports/k", "x", []string{"x-amz-tagging: a=1&a=2"}, 400, "InvalidTag"},
		{"PUT /app-exports/k", "x", []string{"x-amz-meta-a: " + strings.Repeat("x", 10_000)}, 400, "MetadataTooLarge"},
		{"PUT /app-exports/k", "", []string{"x-amz-copy-source: /app-exports/none"}, 404, "NoSuchKey"},
		{"PUT /app-exports/k", "", []string{"x-amz-copy-source: ../../etc/passwd"}, 400, "InvalidBucketName"},
		{"PUT /app-exports/k", "", []string{"x-amz-copy-source: %zz"}, 400, "InvalidArgument"},
		{"PUT /app-exports/logs/2024-04-22.log", "", []string{"x-amz-copy-source: app-exports/logs/2024-04-22.log"}, 400, "InvalidRequest"},
		{"PUT /app-exports/" + strings.Repeat("k", 1025), "", nil, 400, "KeyTooLongError"},
		{"PUT /app-exports/a%FF", "", nil, 400, "InvalidURI"},
		{"GET /app-exports?max-keys=-1", "", nil, 400, "InvalidArgument"},
		{"GET /app-exports?max-keys=99999999999999999999", "", nil, 400, "InvalidArgument"},
		{"GET /app-exports?list-type=2&continuation-token=%25zz", "", nil, 400, "InvalidArgument"},
		{"GET /app-exports?tagging", "", nil, 404, "NoSuchTagSet"},
		{"PUT /app-exports?policy", "no", nil, 400, "MalformedPolicy"},
		{"PUT /app-exports?cors", "<a>", nil, 400, "MalformedXML"},
		{"PUT /app-exports?inventory&id=1", "<a/>", nil, 501, "NotImplemented"},
		{"PUT /none-1?cors", "<a/>", nil, 404, "NoSuchBucket"},
		{"POST /app-exports?delete", "<Delete/>", nil, 400, "MalformedXML"},
		{"POST /app-exports/k?uploadId=none", "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part></CompleteMultipartUpload>", nil, 404, "NoSuchUpload"},
		{"POST /app-exports/k?uploadId=none", "<CompleteMultipartUpload><Part><PartNumber>x</PartNumber></Part></CompleteMultipartUpload>", nil, 400, "MalformedXML"},
		{"PUT /app-exports/k?uploadId=none&partNumber=x", "", nil, 400, "InvalidArgument"},
		{"PUT /app-exports/k?uploadId=none&partNumber=1", "", nil, 404, "NoSuchUpload"},
		{"POST /app-exports", "", []string{"Content-Type: multipart/form-data; boundary=x"}, 400, "MalformedPOSTRequest"},
		{"POST /app-exports/k?select&select-type=2", "", nil, 501, "NotImplemented"},
		{"PUT /", "", nil, 405, "MethodNotAllowed"},
	} {
		a := c.ask(tt.line, tt.body, tt.headers...)
		if a == nil || a.Status != tt.status || a.Fault != tt.fault {
			t.Errorf("%.60s: %+v", tt.line, a)
			continue
		}
		if head := strings.HasPrefix(tt.line, "HEAD"); head == strings.Contains(string(a.Body), "<Code>"+tt.fault+"</Code>") {
			t.Errorf("%.60s: %s", tt.line, a.Body)
		}
	}
}

// What a client stores comes back as it was.
func TestObjects(t *testing.T) {
	c := newClient()
	c.ask("PUT /app-exports/k", "0123456789", "Content-Type: a/b", "x-amz-meta-Q: 1\r\nSet-Cookie: x", "x-amz-tagging: t=u", "Content-Encoding: gzip, aws-chunked", "x-amz-sdk-checksum-algorithm: CRC32")
	a := c.ask("GET /app-exports/k?response-content-disposition=x%0d%0aSet-Cookie:y", "", "x-amz-checksum-mode: ENABLED")
	got := map[string]string{}
	for _, f := range a.Fields {
		got[strings.ToLower(f.Name)] = f.Value
	}
	want := map[string]string{
		"accept-ranges": "bytes", "content-encoding": "gzip", "content-disposition": "xSet-Cookie:y", "content-type": "a/b", "etag": `"781e5e245d69b566979b86e28d23f2c7"`,
		"last-modified": "Sun, 01 Mar 2026 10:00:00 GMT", "x-amz-checksum-crc32": "poTHxg==", "x-amz-checksum-type": "FULL_OBJECT", "x-amz-meta-q": "1Set-Cookie: x",
		"x-amz-request-id": "1F", "x-amz-server-side-encryption": "AES256", "x-amz-tagging-count": "1",
	}
	if diff := cmp.Diff(want, got); diff != "" || string(a.Body) != "0123456789" {
		t.Errorf("%s\n%s", a.Body, diff)
	}
	if a := c.ask("GET /app-exports/k", "", "If-None-Match: W/\"781e5e245d69b566979b86e28d23f2c7\""); a.Status != http.StatusNotModified || a.Body != nil {
		t.Errorf("%+v", a)
	}
	if a := c.ask("PUT /app-exports/l", "", "x-amz-copy-source: /app-exports/k?versionId=null"); a.Status != http.StatusOK || !strings.Contains(string(a.Body), "781e5e245d69b566979b86e28d23f2c7") {
		t.Errorf("%+v", a)
	}
	if a := c.ask("GET /app-exports/l?tagging", ""); !strings.Contains(string(a.Body), "<Tag><Key>t</Key><Value>u</Value></Tag>") {
		t.Errorf("%s", a.Body)
	}
	if a := c.ask("DELETE /app-exports/l", ""); a.Status != http.StatusNoContent || c.ask("GET /app-exports/l", "").Fault != "NoSuchKey" {
		t.Errorf("%+v", a)
	}
}

func TestSpan(t *testing.T) {
	const size = 10
	for header, want := range map[string]string{
		"bytes=0-4": "0 5", "bytes=5-": "5 10", "bytes=-3": "7 10", "bytes=-30": "0 10", "bytes=9-99999999999999999999999999": "9 10", "Bytes=3-3": "3 4",
		"bytes=10-": "416", "bytes=99999999999999999999999999-": "416", "bytes=-0": "416", "bytes=18446744073709551616-18446744073709551617": "416",
		"": "all", "bytes=": "all", "bytes=-": "all", "bytes=5-2": "all", "bytes=a-b": "all", "bytes=0-1,3-4": "all", "bytes=--5": "all", "bytes=+1-2": "all", "items=0-1": "all", "bytes=0x1-2": "all",
	} {
		first, last, ok, err := span(header, size)
		got := "all"
		if ok {
			got = decimal(first) + " " + decimal(last)
		} else if err != nil {
			got = "416"
		}
		if got != want {
			t.Errorf("%q: %s", header, got)
		}
	}
	if _, _, _, err := span("bytes=0-0", 0); err == nil {
		t.Error("a range of nothing")
	}
}

// Names that cannot stand in XML come encoded to those who want it, and spoil no
// document.
func TestHostileNames(t *testing.T) {
	c := newClient()
	for _, key := range []string{"a\x01b", "a\x00", "<Key>&\"]]>", "a b+c%2F", "\u202e../x"} {
		c.ask("PUT /app-documents/"+url.PathEscape("hostile/"+key), "x")
	}
	for _, line := range []string{"GET /app-documents?prefix=hostile/", "GET /app-documents?list-type=2&prefix=hostile/&encoding-type=url", "GET /app-documents?versions&delimiter=%00&prefix=hostile/"} {
		a := c.ask(line, "")
		var list struct {
			Contents []struct{ Key string }
			Version  []struct{ Key string }
		}
		if err := xml.Unmarshal(a.Body, &list); err != nil || len(list.Contents)+len(list.Version) < 4 {
			t.Errorf("%s: %v in %s", line, err, a.Body)
		}
	}
	if a := c.ask("GET /app-documents?list-type=2&prefix=hostile/&encoding-type=url", ""); !strings.Contains(string(a.Body), "<Key>hostile/a%20b%2Bc%252F</Key>") {
		t.Errorf("%s", a.Body)
	}
}
