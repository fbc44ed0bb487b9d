package s3

import "strings"

// login is how a client shows who it is. No signature is checked.
type login int

const (
	anonymous login = iota
	// addressed is set for an address that somebody signed.
	addressed
	signed
)

// loginOf finds the login, and the region that the client takes the host for.
func loginOf(r *Request) (kind login, region string) {
	by := r.Header.Get("Authorization")
	method, rest, _ := strings.Cut(by, " ")
	switch {
	case strings.HasPrefix(method, "AWS4-") || strings.HasPrefix(method, "GOOG4-"):
		_, scope, _ := strings.Cut(rest, "Credential=")
		if region, ok := scoped(scope); ok {
			return signed, region
		}
		return anonymous, ""
	case method == "AWS" && strings.Contains(rest, ":") && !strings.Contains(rest, " "), method == "GOOG1":
		return signed, ""
	}
	q := r.Query
	for _, name := range []string{"X-Amz-Credential", "X-Goog-Credential"} {
		if region, ok := scoped(q.Get(name)); ok {
			return addressed, region
		}
	}
	if q.Has("Signature") && q.Has("Expires") && (q.Has("AWSAccessKeyId") || q.Has("GoogleAccessId")) {
		return addressed, ""
	}
	return anonymous, ""
}

// scoped reads the scope of a credential: KEY/DATE/REGION/s3/aws4_request. One for all
// regions has none.
func scoped(credential string) (region string, ok bool) {
	credential, _, _ = strings.Cut(credential, ",")
	parts := strings.Split(strings.TrimSpace(credential), "/")
	if n := len(parts); n >= 4 {
		service := parts[n-2] + "/" + parts[n-1]
		if service == "s3/aws4_request" || service == "storage/goog4_request" {
			if n >= 5 {
				region = parts[n-3]
			}
			return region, true
		}
	}
	return "", false
}
