package pypi

import (
	"net/url"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// TestPyTags lists wheels from the best to the worst, then some for other
// machines.
func TestPyTags(t *testing.T) {
	p := newPlatform("3.11.2", "amd64")
	last := -1
	for _, tags := range []string{
		"cp311-cp311-manylinux_2_36_x86_64",
		"cp311-cp311-manylinux_2_28_x86_64",
		"cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64",
		"cp311-cp311-manylinux2010_x86_64",
		"cp311-cp311-manylinux1_x86_64",
		"cp311-cp311-linux_x86_64",
		"cp311-abi3-manylinux2014_x86_64",
		"cp311-none-manylinux2014_x86_64",
		"cp310-abi3-manylinux2014_x86_64",
		"cp37-abi3-manylinux_2_28_x86_64",
		"py311-none-manylinux2014_x86_64",
		"py3-none-manylinux2014_x86_64",
		"py310-none-manylinux2014_x86_64",
		"cp311-none-any",
		"py311-none-any",
		"py2.py3-none-any",
		"py38-none-any",
	} {
		part := strings.Split(tags, "-")
		got := p.rank(part[0], part[1], part[2])
		if got <= last || got >= unfit-2 {
			t.Errorf("%s has the rank %d after %d", tags, got, last)
		}
		last = got
	}
	for _, tags := range []string{
		"cp312-cp312-manylinux2014_x86_64", "cp310-cp310-manylinux2014_x86_64", "cp312-abi3-manylinux2014_x86_64", "cp313-cp313t-manylinux2014_x86_64",
		"cp311-cp311-manylinux_2_37_x86_64", "cp311-cp311-manylinux_3_1_x86_64", "cp311-cp311-musllinux_1_1_x86_64", "cp311-cp311-manylinux2014_aarch64",
		"cp311-cp311-macosx_11_0_arm64", "cp311-cp311-win_amd64", "cp311-cp311-any", "cp311-abi3-any", "pp311-pypy311_pp73-manylinux2014_x86_64",
		"py2-none-any", "py312-none-any", "cp310-none-any", "py3-none-win32", "py3-abi3-manylinux2014_x86_64", "--", "cp3-cp3-linux_x86_64",
	} {
		part := strings.Split(tags, "-")
		if got := p.rank(part[0], part[1], part[2]); got != unfit {
			t.Errorf("%s fits, with the rank %d", tags, got)
		}
	}
	arm := newPlatform("3.12.1", "arm64")
	if arm.rank("cp312", "cp312", "manylinux_2_17_aarch64") == unfit || arm.rank("cp312", "cp312", "manylinux_2_17_x86_64") != unfit {
		t.Error("arm64 takes the wrong wheel")
	}
}

// TestPyTagsUnknown: if the interpreter is unknown, the universal wheel is the
// safest, and the newest of the others the likeliest.
func TestPyTagsUnknown(t *testing.T) {
	p := newPlatform("", "amd64")
	all := p.rank("py3", "none", "any")
	stable := p.rank("cp39", "abi3", "manylinux2014_x86_64")
	newer, older := p.rank("cp312", "cp312", "manylinux2014_x86_64"), p.rank("cp39", "cp39", "manylinux2014_x86_64")
	if !(stable < all && all < newer && newer < older && older < unfit) {
		t.Errorf("ranks are %d, %d, %d, %d", stable, all, newer, older)
	}
}

func TestDistFileNames(t *testing.T) {
	base, err := url.Parse("https://index.test/simple/demo-server/")
	sourcetest.Must(t, err)
	for name, version := range map[string]string{
		"demo_server-1.0-py3-none-any.whl":                              "1.0",
		"Demo.Server-1.0-2abc-py3-none-any.whl":                         "1.0",
		"demo_server-1.0+cpu-py3-none-any.whl":                          "1.0+cpu",
		"demo_server-1!2.0-py3-none-any.whl":                            "1!2.0",
		"demo_server-1.0_1-py3-none-any.whl":                            "1.0.post1",
		"demo-server-1.0.tar.gz":                                        "1.0",
		"demo_server-1.0rc1.zip":                                        "1.0rc1",
		"DEMO-_.server-1.0.tar.gz":                                      "1.0",
		"demoserver-1.0.tar.gz":                                         "",
		"demo-serverx-1.0.tar.gz":                                       "",
		"demo-server--1.0.tar.gz":                                       "",
		"demo-server-1.0-1.tar.gz":                                      "1.0.post1",
		"demo-server-1.0.exe":                                           "",
		"demo-server-1.0.tar.bz2":                                       "",
		"demo-server.tar.gz":                                            "",
		"demo-server-extra-1.0.tar.gz":                                  "",
		"other-1.0-py3-none-any.whl":                                    "",
		"demo_server-x-py3-none-any.whl":                                "",
		"demo_server-1.0-none-any.whl":                                  "",
		"demo_server-1.0-x-py3-none-any.whl":                            "",
		"demo_server-1.0-py3-none-any.whl.asc":                          "",
		".demo_server-1.0-py3-none-any.whl":                             "",
		"demo_server-1.0-py3-none-any\x1b.whl":                          "",
		"demo_server-1.0-py3-none-" + strings.Repeat("a", 250) + ".whl": "",
	} {
		f := newDistFile(link{href: "../../files/" + url.PathEscape(name)}, base, "demo-server")
		switch {
		case f == nil && version != "":
			t.Errorf("%q is no file", name)
		case f != nil && (f.version.String() != version || f.name != name):
			t.Errorf("%q is %s, version %s", name, f.name, f.version)
		}
	}
	for _, href := range []string{
		"file:///etc/demo_server-1.0-py3-none-any.whl", "javascript:demo_server-1.0-py3-none-any.whl", "ftp://x.test/demo_server-1.0-py3-none-any.whl",
		"http://x.test/demo_server-1.0-py3-none-any.whl", "https:///demo_server-1.0-py3-none-any.whl", "..%2f..%2fdemo_server-1.0-py3-none-any.whl/..", "%zz", "https://x.test/" + strings.Repeat("a/", 4096) + "demo_server-1.0-py3-none-any.whl",
	} {
		if f := newDistFile(link{href: href}, base, "demo-server"); f != nil {
			t.Errorf("%.60q is %s at %s", href, f.name, f.url)
		}
	}
	f := newDistFile(link{href: "https://user:secret@x.test/a?b#sha256=" + strings.Repeat("0", 64), filename: "demo_server-1.0-py3-none-any.whl"}, base, "demo-server")
	if f == nil || f.url.String() != "https://x.test/a?b" || f.algorithm != "sha256" {
		t.Errorf("file is %+v", f)
	}
	for _, name := range []string{"../demo_server-1.0-py3-none-any.whl", "a/demo_server-1.0-py3-none-any.whl", "..", "demo_server-1.0-py3-none-any.whl\x00"} {
		if f := newDistFile(link{href: "x", filename: name}, base, "demo-server"); f != nil {
			t.Errorf("%q is %s", name, f.name)
		}
	}
}
