package pypi

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// TestPySpecifiers compares with a table in testdata that pip's own library
// produced: all versions in order, then for each specifier the matching ones,
// with pre-releases.
func TestPySpecifiers(t *testing.T) {
	data, err := os.ReadFile("testdata/specifiers.txt")
	sourcetest.Must(t, err)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	order := strings.Fields(lines[0])[1:]
	read := func(s string) version {
		v, ok := parseVersion(s)
		if !ok {
			t.Fatalf("%q is no version", s)
		}
		return v
	}
	for i, a := range order {
		for j, b := range order {
			got := read(a).compare(read(b))
			if want := max(-1, min(1, i-j)); got != want {
				t.Errorf("%s compared with %s is %d, want %d", a, b, got, want)
			}
		}
		if again := read(read(a).String()); again.compare(read(a)) != 0 {
			t.Errorf("%s is written as %s", a, read(a))
		}
	}
	for _, line := range lines[1:] {
		text, want, _ := strings.Cut(line, " : ")
		s, err := parseSpecifiers(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := slices.DeleteFunc(slices.Clone(order), func(v string) bool { return !s.match(read(v)) })
		if diff := cmp.Diff(strings.Fields(want), got); diff != "" {
			t.Errorf("%s matches other versions (-want +got):\n%s", text, diff)
		}
	}
}

func TestPyVersionText(t *testing.T) {
	for text, want := range map[string]string{
		"v1.0": "1.0", " 1.0 ": "1.0", "1.0-ALPHA.1": "1.0a1", "1.0c1": "1.0rc1", "1.0_pre_2": "1.0rc2", "1.0-1": "1.0.post1",
		"1.0.rev3": "1.0.post3", "1.0.dev": "1.0.dev0", "1!2.0+Ubuntu-1_x": "1!2.0+ubuntu.1.x", "01.002": "1.2", "1.0a": "1.0a0",
	} {
		if v, ok := parseVersion(text); !ok || v.String() != want {
			t.Errorf("%q is %s, %t; want %s", text, v, ok, want)
		}
	}
	for _, text := range []string{"", "x", "1.", ".1", "1..2", "1.0+", "1.0 2", "1.0-", "1!", "-1", "1.0\n2", "99999999999999999999", "1.0*", strings.Repeat("1", 129)} {
		if v, ok := parseVersion(text); ok {
			t.Errorf("%q is the version %s", text, v)
		}
	}
}

func TestPySpecifiersRefused(t *testing.T) {
	for _, text := range []string{
		"1.0", "=1", "=>1", ">=", "==", ">=1.*", "~=1", "~=1.*", "<1.0+x", "==1.0a1.*", "==*", ">=x", "=== 1 2", "===1\x1b",
		strings.Repeat(">=1,", 100),
	} {
		if s, err := parseSpecifiers(text); err == nil {
			t.Errorf("%q is %v", text, s)
		}
	}
}

func TestPyRequires(t *testing.T) {
	for _, test := range []struct {
		python, requires string
		want             bool
	}{
		{"3.11.2", "", true},
		{"3.11.2", ">=3.8", true},
		{"3.11.2", ">=3.8,<4.0", true},
		{"3.11.2", ">=3.8, !=3.11.*", false},
		{"3.11.2", "~=3.11", true},
		{"3.11.2", "~=3.11.4", false},
		{"3.11.2", ">=3.12", false},
		{"3.13.0rc1", ">=3.13", true},
		{"3.11.2", ">=3.6.*", true}, // an ambiguous condition
		{"3.11.2", "\x1b", true},
		{"", ">=99", true},
	} {
		if got := newPlatform(test.python, "amd64").accepts(test.requires); got != test.want {
			t.Errorf("%s accepts %q: %t", test.python, test.requires, got)
		}
	}
}

func FuzzPyRequirement(f *testing.F) {
	for _, s := range []string{"pypi:a", "pypi:a@1", "pypi:a[b,c]>=1,<2", "pypi:a(>=1)", "pypi:a==1.*", "pypi:a===x", "pypi:a [", "pypi:a~=1.0rc1", "pypi:A__b--c..d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRequirement(s)
		if err != nil {
			sourcetest.WantUsage(t, err)
			return
		}
		if !isName(r.Name) || NormalizeName(r.Name) != r.Name || strings.ContainsAny(r.Name, "/%?#. ") {
			t.Errorf("name is %q", r.Name)
		}
		again, err := parseSpecifiers(r.specs.String())
		if err != nil || again.String() != r.specs.String() || again.exact() == "" != (r.specs.exact() == "") {
			t.Errorf("%q is written as %q, which is %v, %v", s, r.specs, again, err)
		}
		if exact, ok := parseVersion(r.specs.exact()); ok && len(r.specs) == 1 && !r.specs.match(exact) {
			t.Errorf("%q does not match %s", s, exact)
		}
	})
}

func TestRequirement(t *testing.T) {
	for _, test := range []struct {
		source string
		want   string
	}{
		{"pypi:a", "a [] "},
		{"pypi: A.b__C ", "a-b-c [] "},
		{"pypi:a@1.2", "a [] ==1.2"},
		{"pypi:a @ 1.2", "a [] ==1.2"},
		{"pypi:a@LATEST", "a [] "},
		{"pypi:a == 1.2 , != 1.3", "a [] !=1.3,==1.2"},
		{"pypi:a(>=1,<2)", "a [] <2,>=1"},
		{"pypi:a[x_y, Z,z]~=1.0", "a [x-y z] ~=1.0"},
		{"pypi:a[]", "a [] "},
		{"pypi:a@1.*", "a [] ==1.*"},
	} {
		r, err := ParseRequirement(test.source)
		sourcetest.Must(t, err)
		if got := r.Name + " [" + strings.Join(r.extras, " ") + "] " + r.specs.String(); got != test.want {
			t.Errorf("%q is %q, want %q", test.source, got, test.want)
		}
	}
	for _, source := range []string{
		"pypi:", "pypi:-a", "pypi:a-", "pypi:a/b", "pypi:a b", "pypi:\u00e4", "pypi:a%2fb", "pypi:a[", "pypi:a[b", "pypi:a]", "pypi:a[b]c", "pypi:a[,]", "pypi:a[b;c]",
		"pypi:a@", "pypi:a@1@2", "pypi:a>=", "pypi:a; python_version>'3'", "pypi:a@file:///etc/passwd", "pypi:a\x00", "pypi:a\n==1",
		"pypi:" + strings.Repeat("a", 129), "pypi:a==" + strings.Repeat("1", 600),
	} {
		_, err := ParseRequirement(source)
		sourcetest.WantUsage(t, err)
	}
}
