package tracing

import (
	"context"
	"regexp"
	"strings"
	"testing"
)

const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func TestContinue(t *testing.T) {
	for said, want := range map[string]string{
		parent: parent, parent[:54] + "0": parent[:54] + "0", "01" + parent[2:] + "-later": parent,
		"": "", "x": "", parent + "-x": "", strings.ToUpper(parent): "", " " + parent: "", parent + "\n": "", parent[:54] + "9": "",
		"cc" + parent[2:] + "-" + strings.Repeat("x", 100): "", "ff" + parent[2:]: "",
	} {
		if got := Carry(Continue(t.Context(), said)); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
		// An invalid one does not replace the current one.
		if got := Carry(Continue(Continue(t.Context(), parent), said)); want == "" && got != parent {
			t.Errorf("%q: %q, want %q", said, got, parent)
		}
	}
	// A nil tracer passes on the traceparent it got, and nothing else.
	var nobody *Tracer
	ctx, span := nobody.begin(Continue(t.Context(), parent), "x")
	span.End()
	if got := Carry(ctx); got != parent {
		t.Errorf("%q, want %q", got, parent)
	}
	ctx, _ = nobody.begin(t.Context(), "x")
	if got := Carry(ctx); got != "" {
		t.Errorf("%q, want nothing", got)
	}
	nobody.Stop(t.Context())
}

// Whatever a client sends, the result is a valid traceparent or empty.
func FuzzContinue(f *testing.F) {
	for _, said := range []string{"", parent, parent[:50], strings.ToUpper(parent), "01" + parent[2:] + "-x", strings.Repeat("0", 55)} {
		f.Add(said)
	}
	form := regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$`)
	f.Fuzz(func(t *testing.T, said string) {
		got := Carry(Continue(context.Background(), said))
		if got != "" && !form.MatchString(got) {
			t.Errorf("%q: %q", said, got)
		}
		if again := Carry(Continue(context.Background(), got)); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
	})
}
