package interpreter

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// wheelsOfPip lists the wheels of pip with a strong digest, newest first.
func wheelsOfPip(ctx context.Context, client *registry.Client, from registry.Registry, what string) ([]published, error) {
	req := &registry.Request{
		Registry: from, URL: "pip/", What: what,
		Accept: "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1",
	}
	var body bytes.Buffer
	if err := client.Download(ctx, req, &body, maxIndex, nil); err != nil {
		return nil, err
	}
	var list []published
	page := from.URL.JoinPath("pip/")
	for _, f := range indexFiles(body.Bytes()) {
		found := pipWheelName.FindStringSubmatch(f.Name)
		ref, err := url.Parse(f.URL)
		if found == nil || f.yanked() || err != nil {
			continue
		}
		p := published{Version: found[1], URL: page.ResolveReference(ref).String(), Sum: "sha256:" + f.Hashes.SHA256, needs: f.Needs}
		if p.valid() {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b published) int { return natural(b.Version, a.Version) })
	return list, nil
}

// indexFile is a file of the simple index, in its JSON form.
type indexFile struct {
	Name   string `json:"filename"`
	URL    string `json:"url"`
	Hashes struct {
		SHA256 string `json:"sha256"`
	} `json:"hashes"`
	Needs  string          `json:"requires-python"`
	Yanked json.RawMessage `json:"yanked"`
}

func (f *indexFile) yanked() bool {
	text := string(f.Yanked)
	return text != "" && text != "false" && text != "null"
}

// indexFiles parses both forms of the simple index. Mirrors often have only the
// older one.
func indexFiles(page []byte) []indexFile {
	if bytes.HasPrefix(bytes.TrimLeft(page, " \t\r\n"), []byte("{")) {
		var doc struct {
			Files []json.RawMessage `json:"files"`
		}
		if json.Unmarshal(page, &doc) != nil {
			return nil
		}
		var list []indexFile
		for _, raw := range doc.Files {
			var f indexFile
			if json.Unmarshal(raw, &f) == nil {
				list = append(list, f)
			}
		}
		return list
	}
	var list []indexFile
	for _, anchor := range indexAnchor.FindAllSubmatch(page, maxFiles) {
		list = append(list, anchorFile(string(anchor[1])))
	}
	return list
}

var (
	indexAnchor    = lazyregexp.New(`(?i)<a\s((?:[^>"']|"[^"]*"|'[^']*')*)>`)
	indexAttribute = lazyregexp.New(`([A-Za-z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?`)
)

func anchorFile(attributes string) indexFile {
	var f indexFile
	for _, a := range indexAttribute.FindAllStringSubmatch(attributes, 16) {
		value := html.UnescapeString(a[2] + a[3] + a[4])
		switch strings.ToLower(a[1]) {
		case "href":
			address, fragment, _ := strings.Cut(value, "#")
			f.URL = address
			f.Hashes.SHA256, _ = strings.CutPrefix(fragment, "sha256=")
			f.Name = address[strings.LastIndexByte(address, '/')+1:]
		case "data-requires-python":
			f.Needs = value
		case "data-yanked":
			f.Yanked = json.RawMessage("true")
		}
	}
	return f
}
