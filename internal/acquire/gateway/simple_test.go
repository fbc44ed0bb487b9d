package gateway

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	sumA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	sumB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

func TestParseSimpleHTML(t *testing.T) {
	none, old := "", `too "old" <x>`
	for _, tt := range []struct {
		name, in string
		want     []link
		base     string
	}{
		{"plain", `<!DOCTYPE html><html><body><a href="../x-1.whl#sha256=` + sumA + `" data-requires-python="&gt;=3.8">x-1.whl</a></body>`,
			[]link{{address: "../x-1.whl#sha256=" + sumA, hashes: map[string]string{"sha256": sumA}, python: ">=3.8"}}, ""},
		{"yanked", `<a href=x data-yanked>x</a><A HREF='y' DATA-YANKED='too "old" &lt;x&gt;'>y</A>`,
			[]link{{address: "x", yanked: &none}, {address: "y", yanked: &old}}, ""},
		{"metadata", `<a href="x" data-core-metadata="sha256=` + sumB + `">x</a><a href="y" data-dist-info-metadata="true">y</a><a href="z" data-core-metadata="false">z</a>`,
			[]link{{address: "x", metadata: map[string]string{"sha256": sumB}}, {address: "y", metadata: map[string]string{}}, {address: "z"}}, ""},
		{"base", `<base href="https://files.example/"><base href="/no"><a href="x">`, []link{{address: "x"}}, "https://files.example/"},
		{"not links", `<!-- <a href="c">--><script>"<a href='s'>"</script><style><a href=t></style></a><a name="n"><link href="l"><a href="x">`,
			[]link{{address: "x"}}, ""},
		{"first attribute counts", `<a href="x" href="y">`, []link{{address: "x"}}, ""},
		{"attribute in quotes", `<a title='<a href="no">' href="x">`, []link{{address: "x"}}, ""},
		{"odd comments", `<!--><a href="x"><!---><a href="y">`, []link{{address: "x"}, {address: "y"}}, ""},
		{"bad digest", `<a href="x#sha256=zz">`, []link{{address: "x#sha256=zz"}}, ""},
		{"cut", `<a href="x"><a href="y`, []link{{address: "x"}}, ""},
		{"open comment", `<a href="x"><!-- <a href="y">`, []link{{address: "x"}}, ""},
		{"open script", `<a href="x"><script><a href="y">`, []link{{address: "x"}}, ""},
		{"control characters", "<a href=x data-requires-python='>=3\n\x1b[31m'>", []link{{address: "x", python: ">=3  [31m"}}, ""},
		{"long", `<a href=x data-yanked="` + strings.Repeat("y", 5000) + `">`, []link{{address: "x", yanked: new(strings.Repeat("y", 1000))}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, base := parseSimpleHTML([]byte(tt.in))
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(link{})); diff != "" || base != tt.base {
				t.Errorf("base %q (-want +got)\n%s", base, diff)
			}
		})
	}
}

func TestParseSimpleJSON(t *testing.T) {
	in := `{"meta":{"api-version":"1.3"},"name":"x","files":[
	{"filename":"lies","url":"https://files.example/x-1.whl","hashes":{"sha256":"` + sumA + `","evil\"":"0"},
	 "requires-python":">=3.8","yanked":false,"core-metadata":{"sha256":"` + sumB + `"},"size":12,"upload-time":"2024-01-02T03:04:05.678Z","provenance":"https://reg.example/x"},
	{"filename":"y","url":"y","hashes":{},"requires-python":null,"yanked":true,"dist-info-metadata":true},
	{"url":"z","hashes":null,"yanked":"broken","core-metadata":false,"size":-1,"upload-time":"now"}]}`
	none, broken := "", "broken"
	want := []link{
		{address: "https://files.example/x-1.whl", hashes: map[string]string{"sha256": sumA}, python: ">=3.8",
			metadata: map[string]string{"sha256": sumB}, size: 12, uploaded: "2024-01-02T03:04:05.678Z"},
		{address: "y", yanked: &none, metadata: map[string]string{}},
		{address: "z", yanked: &broken},
	}
	got, err := parseSimpleJSON([]byte(in))
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(link{})); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	for _, bad := range []string{"", "<html>", "[]", `{"meta":{"api-version":"2.0"}}`, `{"files":[]}`, `{"meta":{"api-version":"1.0"},"files":[1]}`, strings.Repeat("[", 100_000)} {
		if _, err := parseSimpleJSON([]byte(bad)); err == nil {
			t.Errorf("%.40q was taken for a page", bad)
		}
	}
}

// TestSimpleForms checks that both forms have the same content.
func TestSimpleForms(t *testing.T) {
	none, why := "", `"><script>`
	want := []link{
		{file: "a-1.whl", address: "http://packages.lan/pypi-files/s/a-1.whl", hashes: map[string]string{"sha256": sumA},
			python: `>=3.8,<4"'`, metadata: map[string]string{"sha256": sumB}},
		{file: "b-1.tar.gz", address: "http://packages.lan/pypi-files/s/b-1.tar.gz", hashes: map[string]string{"md5": sumA[:32]}, yanked: &none},
		{file: "c-1.tar.gz", address: "http://packages.lan/pypi-files/s/c-1.tar.gz", yanked: &why, metadata: map[string]string{}},
	}
	inJSON, err := renderJSON("x", want)
	if err != nil {
		t.Fatal(err)
	}
	fromJSON, err := parseSimpleJSON(inJSON)
	if err != nil {
		t.Fatal(err)
	}
	inHTML, err := renderHTML("x", want)
	if err != nil {
		t.Fatal(err)
	}
	fromHTML, _ := parseSimpleHTML(inHTML)
	for i := range want {
		want[i].file = "" // the URL contains it
		fromHTML[i].address, _, _ = strings.Cut(fromHTML[i].address, "#")
	}
	for form, got := range map[string][]link{"json": fromJSON, "html": fromHTML} {
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(link{})); diff != "" {
			t.Errorf("%s (-want +got)\n%s", form, diff)
		}
	}
	if bytes.Contains(inHTML, []byte("<script")) {
		t.Error("text of the index became a tag")
	}
}

// FuzzSimple checks that whatever an index sends, the sandbox gets a page of
// ours with our URLs.
func FuzzSimple(f *testing.F) {
	f.Add("text/html", `<!DOCTYPE html><base href="//x.example"><a href="../x-1.whl#sha256=`+sumA+`" data-yanked="a&quot;b" data-core-metadata=true>x</a>`)
	f.Add(simpleJSON, `{"meta":{"api-version":"1.0"},"files":[{"filename":"x","url":"https://files.example/x-1.whl","hashes":{"sha256":"`+sumA+`"},"yanked":"\u0000","core-metadata":true}]}`)
	f.Add("text/html", `<a href='x' data-requires-python=">"><!--`)
	f.Add("text/html", "<a href=\"java\x00script:x\"><a/href=/x/=y>")
	f.Add("text/html", `<a href="http://127.0.0.1/x.whl"><a href="file:///x.whl">`)
	g := New(&Options{})
	reg := &url.URL{Scheme: "https", Host: "reg.example", Path: "/simple/"}
	f.Fuzz(func(t *testing.T, contentType, body string) {
		links, base, err := parseSimple(&source{body: []byte(body), at: reg.JoinPath("x/"), contentType: contentType})
		if err != nil {
			return
		}
		kept := links[:0]
		for _, l := range links {
			if g.readdress(&l, 0, reg, base) {
				kept = append(kept, l)
			}
		}
		inHTML, _ := renderHTML("x", kept)
		if n := bytes.Count(inHTML, []byte("<a ")); n != len(kept) {
			t.Fatalf("%d links became %d", len(kept), n)
		}
		again, _ := parseSimpleHTML(inHTML)
		for i, l := range again {
			checkOwn(t, g, reg, l.address)
			if l.python != kept[i].python || (l.yanked == nil) != (kept[i].yanked == nil) {
				t.Fatalf("%q came back as %q", kept[i].python, l.python)
			}
		}
		inJSON, err := renderJSON("x", kept)
		if err != nil || !json.Valid(inJSON) {
			t.Fatalf("%q: %v", inJSON, err)
		}
	})
}

func checkOwn(t *testing.T, g *Gateway, reg *url.URL, address string) {
	t.Helper()
	rest, ok := strings.CutPrefix(address, g.base)
	if !ok {
		t.Fatalf("a foreign address: %q", address)
	}
	rest, _, _ = strings.Cut(rest, "#")
	to, err := parseTarget("/" + rest)
	if err != nil || to.kind != targetPyPIFile {
		t.Fatalf("an address we refuse ourselves: %q: %v", address, err)
	}
	o, ok := g.addresses.decrypt(to.token)
	if !ok || o.file != to.file {
		t.Fatalf("a broken token in %q", address)
	}
	u, err := url.Parse(o.address)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkPlace(reg, u); err != nil {
		t.Fatalf("%q leads to %q", address, o.address)
	}
}
