package pypi

import (
	"bytes"
	"errors"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// parseIndexHTML parses the format of PEP 503: every link is a file, described
// by the link's attributes.
func parseIndexHTML(page []byte, base *url.URL) ([]link, *url.URL, error) {
	// The longest single tag; real ones are shorter.
	const longest = 1 << 20
	var links []link
	based := false
	z := html.NewTokenizer(bytes.NewReader(page))
	z.SetMaxBuf(longest)
	for {
		switch z.Next() {
		case html.ErrorToken:
			if errors.Is(z.Err(), html.ErrBufferExceeded) {
				return nil, nil, errors.New("it is not the HTML of an index")
			}
			return links, base, nil
		case html.StartTagToken, html.SelfClosingTagToken:
		default:
			continue
		}
		name, more := z.TagName()
		switch tag := string(name); {
		case tag == "a" && more:
			l, ok := indexLink(z)
			if !ok {
				continue
			}
			if links = append(links, l); len(links) > maxIndexFiles {
				return nil, nil, errTooManyFiles
			}
		case tag == "base" && more && !based:
			// As in a browser, the first one counts.
			ref, err := url.Parse(strings.TrimSpace(attributes(z)["href"]))
			if err == nil && safeFrom(base, base.ResolveReference(ref)) {
				base, based = base.ResolveReference(ref), true
			}
		case tag == "meta" && more:
			a := attributes(z)
			if a["name"] == "pypi:repository-version" && !strings.HasPrefix(a["content"], "1.") {
				return nil, nil, errNewerIndex
			}
		}
	}
}

func indexLink(z *html.Tokenizer) (link, bool) {
	a := attributes(z)
	href, ok := a["href"]
	reason, yanked := a["data-yanked"]
	return link{href: href, requires: a["data-requires-python"], yanked: yanked, reason: reason, uploaded: a["data-upload-time"], attested: a["data-provenance"]}, ok
}

// attributes returns those of the current tag. Of a repeated one the first
// counts.
func attributes(z *html.Tokenizer) map[string]string {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 64
	all := map[string]string{}
	for more := true; more && len(all) < most; {
		var key, value []byte
		key, value, more = z.TagAttr()
		if _, twice := all[string(key)]; !twice {
			all[string(key)] = string(value)
		}
	}
	return all
}
