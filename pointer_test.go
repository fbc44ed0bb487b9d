package mcpsf

import "testing"

func TestPointerNames(t *testing.T) {
	for _, name := range []string{"", "a", "a/b", "~", "~2", "#", "C#", "#/a", "~0#~1/", "a~#/b"} {
		part := PointerPart(name)
		if got := PointerName(part); got != name {
			t.Errorf("%q is written %q and read %q", name, part, got)
		}
		if got := PointerArgument("/" + part + "/x"); got != name {
			t.Errorf("the argument of %q is %q", "/"+part+"/x", got)
		}
		if got := PointerArgument("/" + part + "#/x"); got != name {
			t.Errorf("the argument of %q is %q", "/"+part+"#/x", got)
		}
	}
}

func TestPointerText(t *testing.T) {
	for _, tt := range []struct {
		pointer, text, inside string
		ok                    bool
	}{
		{"", "", "", false},
		{"/a/b", "/a/b", "", false},
		{"/a~2/b", "/a~2/b", "", false},
		{"/a#/b/c", "/a", "/b/c", true},
		{"/a/0#/b#/c", "/a/0", "/b#/c", true},
	} {
		text, inside, ok := PointerText(tt.pointer)
		if text != tt.text || inside != tt.inside || ok != tt.ok {
			t.Errorf("%q: %q, %q, %v", tt.pointer, text, inside, ok)
		}
	}
}

func TestPointerWithin(t *testing.T) {
	for _, tt := range []struct {
		pointer, whole string
		want           bool
	}{
		{"/a", "", true},
		{"/a", "/a", true},
		{"/a/b", "/a", true},
		{"/a#/b", "/a", true},
		{"/a#/b/c", "/a#/b", true},
		{"/ab", "/a", false},
		{"/a~2/b", "/a", false},
		{"/a", "/a#/b", false},
		{"/a#/bc", "/a#/b", false},
	} {
		if got := PointerWithin(tt.pointer, tt.whole); got != tt.want {
			t.Errorf("%q within %q: %v", tt.pointer, tt.whole, got)
		}
	}
}
