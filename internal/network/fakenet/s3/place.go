package s3

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// place is where an object is.
type place struct {
	// endpoint is the host without the name of a bucket, and with its port.
	endpoint string
	// known is set if the host is one of object storage, and foreign if it is another
	// service of those who have one.
	known, foreign bool

	bucket, key string
}

// placeOf finds the bucket and the key, which may be in the name of the host and in
// the path.
func placeOf(r *Request) place {
	domain, port := strings.ToLower(r.Host), ""
	if h, p, err := net.SplitHostPort(domain); err == nil {
		domain, port = h, ":"+p
	}
	domain = strings.TrimSuffix(domain, ".")
	p := endpointOf(domain)
	if !p.known && !p.foreign {
		p.bucket = r.guess(domain, port)
	}
	p.endpoint = strings.TrimPrefix(domain, p.bucket+".") + port
	p.known = p.known || r.Store != nil && r.Store.Served(p.endpoint)
	p.key = strings.TrimPrefix(r.Path, "/")
	if p.bucket == "" {
		p.bucket, p.key, _ = strings.Cut(p.key, "/")
	}
	return p
}

// endpointOf finds the bucket in the name of a host that is known.
func endpointOf(domain string) place {
	h := &tables().Hosts
	for _, d := range h.Plain {
		if bucket, found := strings.CutSuffix("."+domain, "."+d); found {
			return place{known: true, bucket: strings.TrimPrefix(bucket, ".")}
		}
	}
	for _, d := range h.Regional {
		if before, found := strings.CutSuffix(domain, "."+d); found {
			i := strings.LastIndex(before, ".")
			return place{known: true, bucket: before[:max(i, 0)]}
		}
	}
	for _, d := range h.Marked {
		if before, found := strings.CutSuffix(domain, "."+d); found {
			return marked(strings.Split(before, "."))
		}
	}
	return place{}
}

// marked finds the endpoint in the parts of a name: what is before it is the bucket.
func marked(parts []string) place {
	for i, p := range slices.Backward(parts) {
		if slices.ContainsFunc(tables().Hosts.Others, func(o string) bool { return strings.HasPrefix(p, o) }) {
			return place{foreign: true}
		}
		if p == "s3" || strings.HasPrefix(p, "s3-") {
			return place{known: true, bucket: strings.Join(parts[:i], ".")}
		}
	}
	return place{foreign: true}
}

// guess finds the bucket in the name of a host that nobody knows, such as that of a
// company's own storage. Most clients put the bucket into the path there.
func (r *Request) guess(domain, port string) string {
	first, rest, found := strings.Cut(domain, ".")
	_, notAddress := netip.ParseAddr(domain)
	if !found || notAddress == nil || r.Store == nil || r.Store.Served(domain+port) {
		return ""
	}
	atRoot := strings.Trim(r.Path, "/") == ""
	switch {
	case r.Store.Served(rest + port), r.Store.Has(first):
		return first
	case atRoot && (r.Method != http.MethodGet || r.asksBucket()):
		return first
	case r.namesObject() && !strings.Contains(strings.Trim(r.Path, "/"), "/"):
		return first
	}
	return ""
}

// asksBucket tells whether the parameters are those of a list.
func (r *Request) asksBucket() bool {
	return slices.ContainsFunc(tables().BucketParameters, r.Query.Has)
}

// namesObject tells whether the client says that it asks for an object.
func (r *Request) namesObject() bool {
	id := r.Query.Get("x-id")
	return strings.HasSuffix(id, "Object") || strings.HasPrefix(id, "UploadPart")
}
