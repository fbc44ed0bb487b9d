package job

import (
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	const most = 100
	tail := Tail{Max: most}
	for _, s := range []string{"lost", strings.Repeat("x", most-3), "end"} {
		if n, err := tail.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	if got := tail.String(); len(got) != most || !strings.HasPrefix(got, "x") || !strings.HasSuffix(got, "xend") {
		t.Errorf("%d bytes, %.10q … %q", len(got), got, got[max(0, len(got)-10):])
	}
}
