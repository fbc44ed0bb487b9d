package part

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestPURL(t *testing.T) {
	for want, p := range map[string]Part{
		"pkg:npm/foobar@12.3.1":                             {ID: ID{Ecosystem: "npm", Name: "foobar", Version: "12.3.1"}},
		"pkg:npm/%40angular/animation@12.3.1":               {ID: ID{Ecosystem: "npm", Name: "@angular/animation", Version: "12.3.1"}},
		"pkg:npm/JSONStream@1.3.5":                          {ID: ID{Ecosystem: "npm", Name: "JSONStream", Version: "1.3.5"}},
		"pkg:npm/react":                                     {ID: ID{Ecosystem: "npm", Name: "react"}},
		"pkg:pypi/django-allauth@12.23":                     {ID: ID{Ecosystem: "PyPI", Name: "django-allauth", Version: "12.23"}},
		"pkg:pypi/torch@2.0%2Bcu118":                        {ID: ID{Ecosystem: "PyPI", Name: "torch", Version: "2.0+cu118"}},
		"pkg:golang/github.com/burntsushi/toml@v1.0.0":      {ID: ID{Ecosystem: "Go", Name: "github.com/BurntSushi/toml", Version: "v1.0.0"}},
		"pkg:cargo/rand@0.7.2":                              {ID: ID{Ecosystem: "crates.io", Name: "rand", Version: "0.7.2"}},
		"pkg:maven/org.apache.xmlgraphics/batik-anim@1.9.1": {ID: ID{Ecosystem: "Maven", Name: "org.apache.xmlgraphics:batik-anim", Version: "1.9.1"}},
		"pkg:deb/debian/attr@1:2.4.47-2%2Bb1?arch=amd64&distro=debian-12": {
			ID: ID{Ecosystem: "Debian:12", Name: "attr", Version: "1:2.4.47-2+b1", Arch: "amd64", Distro: "debian-12"},
		},
		"pkg:deb/debian/libssl3@3.0?distro=debian-12&upstream=openssl%403.0-1": {
			ID: ID{Ecosystem: "Debian:12", Name: "libssl3", Version: "3.0", Distro: "debian-12", Source: "openssl@3.0-1"},
		},
		"pkg:apk/alpine/curl@7.83.0-r0?arch=x86&distro=alpine-3.19.1": {
			ID: ID{Ecosystem: "Alpine:v3.19", Name: "curl", Version: "7.83.0-r0", Arch: "x86", Distro: "alpine-3.19.1"},
		},
		"pkg:npm/mypackage@12.4.5?vcs_url=git://host.example/path/to/repo.git%404345abcd34343": {
			ID: ID{Ecosystem: "npm", Name: "mypackage", Version: "12.4.5"}, From: "git://host.example/path/to/repo.git@4345abcd34343",
		},
		"pkg:pypi/x@1?download_url=https://host.example/x.whl": {ID: ID{Ecosystem: "PyPI", Name: "x", Version: "1"}, From: "https://host.example/x.whl"},
		"pkg:npm/a%20%3Cb%3E%23%3F/c":                          {ID: ID{Ecosystem: "npm", Name: "a <b>#?/c"}},
		"pkg:generic/x@1":                                      {ID: ID{Ecosystem: "else", Name: "x", Version: "1"}},
	} {
		if got := p.PURL(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestDigests(t *testing.T) {
	sha512 := "sha512-" + strings.Repeat("A", 86) + "=="
	hex := strings.Repeat("ab", 32)
	got := digests([]string{sha512 + " sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha256:" + strings.ToUpper(hex), sha512 + "?x", "", "h1:abc=", "sha256:zz", "sha256:", "md4-xx", "-"})
	want := []string{"sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha256:" + hex, sha512}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Invalid package names are refused and reported once.
func TestCollectorRefuses(t *testing.T) {
	b := NewCollector()
	for _, name := range []string{"", "a b", "a\x1b[31m", "a\u202eb", "a\xff", strings.Repeat("a", 301), "a\nb"} {
		if p := b.Add(Part{ID: ID{Ecosystem: "npm", Name: name, Version: "1"}, File: "f"}); p != nil {
			t.Errorf("%q was taken", name)
		}
	}
	if p := b.Add(Part{ID: ID{Ecosystem: "npm", Name: "a", Version: strings.Repeat("1", 201)}}); p != nil {
		t.Error("a long version was taken")
	}
	if b.Add(Part{ID: ID{Ecosystem: "npm", Name: "ünïcode"}}) == nil || b.Add(Part{Own: true}) == nil {
		t.Error("a plain name or a nameless project was refused")
	}
	if len(b.Notes()) != 8 {
		t.Errorf("%d notes, want 8: %q", len(b.Notes()), b.Notes())
	}
}

func TestNotes(t *testing.T) {
	b := NewCollector()
	b.Note("dir/\x1b]0;x", "%s", "bad\nline "+strings.Repeat("x", 1000))
	b.Note("f", "again")
	b.Note("f", "again")
	for i := range 20 {
		b.Note(fmt.Sprintf("f%d", i), "the same of %d", i)
	}
	notes := b.Notes()
	if len(notes) != 2+maxAlike+1 || notes[2+maxAlike] != "12 more like this: f0: the same of 0" {
		t.Errorf("%d notes, the last %q", len(notes), notes[len(notes)-1])
	}
	for i := range 200 {
		b.Note("f", fmt.Sprintf("kind %d: ", i)+"%s", "x")
	}
	notes = b.Notes()
	if len(notes) != maxNotes+2 || notes[maxNotes+1] != "110 more things were not understood or left out" {
		t.Errorf("%d notes, the last %q", len(notes), notes[len(notes)-1])
	}
	if n := notes[0]; len(n) > maxNote+10 || strings.ContainsAny(n, "\x1b\n") || !strings.HasPrefix(n, `"dir/\x1b]0;x": bad line`) {
		t.Errorf("the first note is %q", n)
	}
}

func TestNeed(t *testing.T) {
	b := NewCollector()
	p := b.Add(Part{ID: ID{Name: "a"}})
	p.Need(false, nil, p)
	var none *Part
	none.Need(false, p)
	if len(p.Needs) != 0 {
		t.Errorf("it needs %d, want none", len(p.Needs))
	}
	other := b.Add(Part{ID: ID{Name: "b"}})
	for range MaxNeeds + 1 {
		p.Need(true, other)
	}
	if len(p.DevNeeds) != MaxNeeds || !p.Cut {
		t.Errorf("it needs %d, cut is %t; want %d, true", len(p.DevNeeds), p.Cut, MaxNeeds)
	}
}

func TestAside(t *testing.T) {
	for dir, want := range map[string]bool{"": false, "packages/server": false, "examples/x": true, "/src/Tests": true, "latest": false, "contest": false} {
		if got := Aside(dir); got != want {
			t.Errorf("%q is aside: %t, want %t", dir, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[31m\xff\u202e b", 10)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		if limit < 0 || limit > 1000 {
			return
		}
		for _, got := range []string{clean(s, limit), Quote(s)} {
			if !utf8.ValidString(got) || len(got) > max(limit, 700)+3 || strings.ContainsAny(got, "\x1b\n\u202e\x7f") {
				t.Errorf("%q became %q", s, got)
			}
		}
		if d := digest(s); d != "" && digest(d) != d {
			t.Errorf("%q became %q, which becomes %q", s, d, digest(d))
		}
	})
}
