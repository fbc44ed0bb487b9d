package gateway

import (
	"bytes"
	"html"
	"slices"
	"strings"
)

// parseSimpleHTML reads the links of a project page, and the address it says
// they are relative to, "" if none.
func parseSimpleHTML(body []byte) (links []link, base string) {
	for t := (tokens{rest: body}); t.next() && len(links) < maxLinks; {
		href, ok := t.attributes["href"]
		switch {
		case !ok:
		case t.tag == "base" && base == "":
			base = href
		case t.tag == "a":
			links = append(links, anchor(href, t.attributes))
		}
	}
	return links, base
}

func anchor(href string, attributes map[string]string) link {
	l := link{address: href, python: oneLine(attributes["data-requires-python"])}
	if _, fragment, ok := strings.Cut(href, "#"); ok {
		l.hashes = digestsOf(fragment)
	}
	if uploaded := attributes["data-upload-time"]; uploadTime.MatchString(uploaded) {
		l.uploaded = uploaded
	}
	if reason, ok := attributes["data-yanked"]; ok {
		reason = oneLine(reason)
		l.yanked = &reason
	}
	for _, name := range []string{"data-core-metadata", "data-dist-info-metadata"} {
		if value, ok := attributes[name]; ok && value != "false" {
			if l.metadata = digestsOf(value); l.metadata == nil {
				l.metadata = map[string]string{}
			}
			break
		}
	}
	return l
}

// digestsOf reads "sha256=..." from a fragment or an attribute.
func digestsOf(text string) map[string]string {
	all := map[string]string{}
	for i, part := range strings.SplitN(text, "&", 8) {
		if name, value, ok := strings.Cut(part, "="); ok && i < 7 {
			all[strings.ToLower(name)] = value
		}
	}
	return digests(all)
}

// renderHTML writes a new page: only what was parsed of the index's text is in
// it.
func renderHTML(name string, links []link) ([]byte, error) { //nolint:unparam // like its sibling for JSON
	var b bytes.Buffer
	b.WriteString("<!DOCTYPE html>\n<html><head><meta name=\"pypi:repository-version\" content=\"1.0\"><title>" +
		html.EscapeString(name) + "</title></head><body>\n")
	for _, l := range links {
		address := l.address
		if digest := best(l.hashes); digest != "" {
			address += "#" + digest
		}
		b.WriteString(`<a href="` + html.EscapeString(address) + `"`)
		attribute := func(key, value string) {
			b.WriteString(" " + key + `="` + html.EscapeString(value) + `"`)
		}
		if l.python != "" {
			attribute("data-requires-python", l.python)
		}
		if l.yanked != nil {
			attribute("data-yanked", *l.yanked)
		}
		if l.metadata != nil {
			digest := best(l.metadata)
			if digest == "" {
				digest = "true"
			}
			attribute("data-core-metadata", digest)
			attribute("data-dist-info-metadata", digest)
		}
		b.WriteString(">" + html.EscapeString(l.file) + "</a><br>\n")
	}
	b.WriteString("</body></html>\n")
	return b.Bytes(), nil
}

// best is the strongest digest, "" if there is none.
func best(hashes map[string]string) string {
	names := make([]string, 0, len(hashes))
	for name := range hashes {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range append([]string{"sha256", "sha512", "sha384"}, names...) {
		if value := hashes[name]; value != "" {
			return name + "=" + value
		}
	}
	return ""
}
