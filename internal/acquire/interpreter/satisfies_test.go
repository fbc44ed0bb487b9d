package interpreter

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestSatisfies(t *testing.T) {
	for _, c := range []struct {
		rt         mcpsf.Runtime
		needs      string
		yes, never string // versions, space between
	}{
		{node, "", "20.20.2 0.10.0 x", ""},
		{node, "*", "20.20.2 x", ""},
		{node, ">=18", "18.0.0 20.20.2 22.0.0-nightly v18.0.0", "16.20.0 x"},
		{node, ">= 18", "18.0.0 20.20.2", "17.9.1"},
		{node, "^18.19.1 || >=20.11.0", "18.19.1 18.20.0 20.11.0 22.1.0", "18.19.0 19.9.0 20.10.0"},
		{node, "20.x", "20.0.0 20.99.1", "19.9.9 21.0.0"},
		{node, "20", "20.0.0 20.99.1", "21.0.0"},
		{node, ">=18.0.0 <21 || ^22", "18.0.0 20.5.0 22.3.0", "17.0.0 21.5.0 23.0.0"},
		{node, "^20.19.0 || ^22.13.0 || >=24", "20.19.0 22.13.1 24.0.0 26.0.0", "20.18.3 22.12.0 23.9.0"},
		{node, "18 - 20", "18.0.0 20.9.0", "21.0.0"},
		{node, "~18.2", "18.2.9", "18.3.0"},
		{node, ">14 <=20", "15.0.0 20.9.9", "14.9.0 21.0.0"},
		{node, ">=22.0.0-0", "22.0.0", "21.0.0"},
		{node, "node >= 16", "16.0.0 20.0.0", "14.0.0"},
		{node, "lts", "20.0.0 4.0.0", ""},
		{node, "lts/*", "20.0.0", ""},
		{node, "^18 || current", "4.0.0", ""},
		{node, "\u2265 18", "4.0.0", ""},
		{node, "|| >=18", "4.0.0", ""},
		{node, strings.Repeat(">=90 ", 1000), "4.0.0", ""},

		{python, "", "3.11.2 x", ""},
		{python, ">=3.10,<4.0", "3.10.0 3.11.2 3.14.0", "3.9.18 4.0.0 x"},
		{python, ">=3.10, <3.13", "3.12.9", "3.13.0 3.13.0rc1"},
		{python, "~=3.11", "3.11.0 3.12.1", "3.10.4 4.0.0"},
		{python, "~=3.11.1", "3.11.2", "3.12.0 3.11.0"},
		{python, "==3.11.*", "3.11.2 3.11.2+", "3.12.0 3.10.1"},
		{python, "!=3.9.*", "3.11.2 3.8.1", "3.9.2"},
		{python, ">=2.7, !=3.0.*, !=3.1.*", "3.11.2", "3.1.4"},
		{python, ">3.9", "3.9.2 3.10.0", "3.8.1"},
		{python, ">=3.13", "3.13.0rc1 3.13.0", "3.12.4"},
		{python, ">=3.10,", "3.11.2", "3.9.1"},
		{python, ">=3", "3.11.2 3.11", "2.7.18"},
		{python, "^3.10", "3.8.1", ""},
		{python, "three", "3.8.1", ""},
	} {
		for v := range strings.FieldsSeq(c.yes) {
			if v = strings.TrimPrefix(v, "x"); !Satisfies(c.rt, v, c.needs) {
				t.Errorf("%s %q does not satisfy %q", c.rt, v, c.needs)
			}
		}
		for v := range strings.FieldsSeq(c.never) {
			if v = strings.TrimPrefix(v, "x"); Satisfies(c.rt, v, c.needs) {
				t.Errorf("%s %q satisfies %q", c.rt, v, c.needs)
			}
		}
	}
}

func FuzzSatisfies(f *testing.F) {
	for _, s := range []string{">=18", "^18.19.1 || >=20.11.0", "1 - 2 - 3", "~=3.11", "==3.*", "!=3.9.*,<4", ">=9999999999999999999", "v", "||||", "<0", "* || x", "1.2.3.4.5.6", "=v1-a.b+c", "==1!2.0", "\xff"} {
		f.Add("20.1.0", s)
		f.Add("3.11.2rc1+", s)
	}
	f.Fuzz(func(t *testing.T, version, needs string) {
		for _, rt := range []mcpsf.Runtime{node, python} {
			if !Satisfies(rt, version, needs) && strings.TrimSpace(needs) == "" {
				t.Error("what asks for nothing is not satisfied")
			}
			if _, asks := parseNeeds(rt, needs); asks && Satisfies(rt, "", needs) {
				t.Error("an unknown version satisfies what asks for something")
			}
		}
	})
}
