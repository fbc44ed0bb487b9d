package pypi

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

func TestIndexHTML(t *testing.T) {
	base, err := url.Parse("https://index.test/simple/a/")
	sourcetest.Must(t, err)
	for _, test := range []struct {
		name, page string
		base       string
		want       []link
		err        string
	}{
		{name: "links", page: `<!DOCTYPE html><a href="x-1.whl#sha256=0">x</a><A HREF='y-1.whl'>y</A><a href=z-1.whl>`,
			want: []link{{href: "x-1.whl#sha256=0"}, {href: "y-1.whl"}, {href: "z-1.whl"}}},
		{name: "attributes", page: `<a data-requires-python="&gt;=3.8,&lt;4" data-yanked="bad &amp; worse" href="x&amp;y">x</a><a href="z" data-yanked>z</a>`,
			want: []link{{href: "x&y", requires: ">=3.8,<4", yanked: true, reason: "bad & worse"}, {href: "z", yanked: true}}},
		{name: "attribute twice", page: `<a href="a" href="b">`, want: []link{{href: "a"}}},
		{name: "base", page: `<base href="../../files/"><base href="https://evil.test/"><a href="x">`, base: "https://index.test/files/", want: []link{{href: "x"}}},
		{name: "base without encryption", page: `<base href="http://evil.test/"><a href="x">`, want: []link{{href: "x"}}},
		{name: "not links", page: `<!-- <a href="x"> --><script>"<a href='x'>"</script><title><a href="x"></title><a name="x"><p title="<a href=x>">`},
		{name: "metadata", page: `<meta name="pypi:repository-version" content="1.3"><a href="x" data-dist-info-metadata="sha256=00" data-core-metadata="true">`, want: []link{{href: "x"}}},
		{name: "newer", page: `<meta name="pypi:repository-version" content="2.0"><a href="x">`, err: "newer format"},
		{name: "unfinished", page: `<a href="x"><a href="y`, want: []link{{href: "x"}}},
		{name: "one long tag", page: `<a href="` + strings.Repeat("x", 2<<20) + `">`, err: "not the HTML"},
		{name: "many links", page: strings.Repeat(`<a href=x>`, maxIndexFiles+1), err: "too many"},
		{name: "many attributes", page: `<a ` + strings.Repeat(`x `, 1000) + `href=y>`, want: []link{{href: "y"}}},
		{name: "empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			links, at, err := parseIndexPage("text/html; charset=UTF-8", []byte(test.page), base)
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Fatalf("error is %v, want %q", err, test.err)
			}
			if err != nil {
				return
			}
			if test.base == "" {
				test.base = base.String()
			}
			if diff := cmp.Diff(test.want, links, cmp.AllowUnexported(link{})); diff != "" || at.String() != test.base {
				t.Errorf("base %s, links differ (-want +got):\n%s", at, diff)
			}
		})
	}
}

func TestIndexJSON(t *testing.T) {
	for _, test := range []struct {
		page string
		want []link
		err  string
	}{
		{page: `{"meta":{"api-version":"1.0"},"files":[{"filename":"f","url":"u","hashes":{"sha256":"0"},"requires-python":">=3","yanked":false}]}`,
			want: []link{{href: "u", filename: "f", hashes: map[string]string{"sha256": "0"}, requires: ">=3"}}},
		{page: `{"files":[{"url":"a","yanked":true},{"url":"b","yanked":"why"},{"url":"c","yanked":null,"requires-python":null,"core-metadata":{"x":1}}]}`,
			want: []link{{href: "a", yanked: true}, {href: "b", yanked: true, reason: "why"}, {href: "c"}}},
		{page: `{"meta":{"api-version":"2.0"},"files":[]}`, err: "newer format"},
		{page: `[]`, err: "not the JSON"},
		{page: `{"files":[{"url":1}]}`, err: "not the JSON"},
		{page: `{"files":[`, err: "not the JSON"},
		{page: strings.Repeat("[", 100_000), err: "not the JSON"},
		{page: `{"files":[` + strings.Repeat(`{},`, maxIndexFiles) + `{}]}`, err: "too many"},
	} {
		links, _, err := parseIndexPage(simpleJSON, []byte(test.page), nil)
		if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%.60s: error is %v, want %q", test.page, err, test.err)
		}
		if diff := cmp.Diff(test.want, links, cmp.AllowUnexported(link{})); diff != "" {
			t.Errorf("%.60s: links differ (-want +got):\n%s", test.page, diff)
		}
	}
}

func TestIndexOfAnotherKind(t *testing.T) {
	for _, kind := range []string{"", "text/plain", "application/octet-stream", "x\x1b", "application/vnd.pypi.simple.v2+json"} {
		if _, _, err := parseIndexPage(kind, nil, nil); err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: error is %v", kind, err)
		}
	}
	if _, _, err := parseIndexPage("text/html", make([]byte, maxIndexPage+1), nil); err == nil {
		t.Error("a page without end was read")
	}
}

func FuzzPyPIIndex(f *testing.F) {
	f.Add(true, `<base href="//x.test"><a href="demo-1.0.tar.gz#sha256=`+strings.Repeat("a", 64)+`" data-requires-python="&gt;=3" data-yanked="">`)
	f.Add(true, `<meta name="pypi:repository-version" content="1.0"><a href='demo-1-py3-none-any.whl'`)
	f.Add(true, `<a href="http://u:p@h/%2e%2e%2fdemo-1.zip#md5=0">`)
	f.Add(false, `{"files":[{"filename":"demo-1.0.zip","url":"../x","hashes":{"sha512":"00"},"yanked":"x"}]}`)
	f.Fuzz(func(t *testing.T, asHTML bool, page string) {
		base, err := url.Parse("https://index.test/simple/demo/")
		sourcetest.Must(t, err)
		kind := simpleJSON
		if asHTML {
			kind = "text/html"
		}
		links, at, err := parseIndexPage(kind, []byte(page), base)
		if err != nil {
			return
		}
		var files []*distFile
		for _, l := range links {
			d := newDistFile(l, at, "demo")
			if d == nil {
				continue
			}
			if strings.ContainsAny(d.name, "/\\") || usererr.BadName(d.name) != "" || d.url.User != nil || d.url.Fragment != "" || usererr.BadName(d.reason+d.requires) != "" {
				t.Errorf("file is %+v", d)
			}
			if d.sum != "" && len(d.sum) < 64 {
				t.Errorf("digest is %q", d.sum)
			}
			d.index.URL = base
			files = append(files, d)
		}
		if len(files) == 0 {
			return
		}
		for _, source := range []string{"pypi:demo", "pypi:demo@1.0"} {
			r, err := ParseRequirement(source)
			sourcetest.Must(t, err)
			c, err := chooseFile(r, files, newPlatform("3.11.2", "amd64"))
			if err != nil {
				sourcetest.WantUsage(t, err)
			} else if c.sum == "" || usererr.BadName(fmt.Sprint(c.notes)) != "" {
				t.Errorf("chose %+v", c.distFile)
			}
		}
	})
}
