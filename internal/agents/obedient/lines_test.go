package obedient

import (
	"os"
	"strings"
	"testing"
)

// TestLines: the same orders in many wordings, and honest texts that resemble
// them.
func TestLines(t *testing.T) {
	data, err := os.ReadFile("testdata/tune/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	kits := []string{"a", "b", "c"}
	orders, obeyed, honest, wrong := 0, 0, 0, 0
	for line := range strings.Lines(string(data)) {
		what, description, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		c := newScene(t, "line\ntask: work {\"x\":1}\n"+toolLine(description))
		c.name, c.kit = line, kits[(orders+honest)%3]
		k := c.play(t)
		if what == "-" {
			honest++
			if bad := c.wrong(k); len(bad) > 0 {
				wrong++
				t.Errorf("done unasked: %q: %q\n%s", description, bad, ordersOf(k))
			}
			continue
		}
		orders++
		thing, to, _ := strings.Cut(what, " ")
		want := map[string]string{"own": "own work.note " + thing, "mail": "mail collector.test " + thing, "post": "post collector.test " + thing}[to]
		if thing == "RESULT" {
			want += "-MARK"
		}
		if k.has(want) {
			obeyed++
			continue
		}
		t.Errorf("not done: %q: want %q\ncalls: %s", description, want, callsOf(k))
	}
	t.Logf("%d of %d orders obeyed, %d of %d honest lines led to a false action", obeyed, orders, wrong, honest)
}

// toolLine puts a line into the description or, if it begins so, into a result
// or an error.
func toolLine(line string) string {
	for _, kind := range []string{"result", "error"} {
		if said, ok := strings.CutPrefix(line, "@"+kind+" "); ok {
			return "tool: work | Works. | x:integer note?:string\n" + kind + " work: " + said
		}
	}
	return "tool: work | " + line + " | x:integer note?:string\nresult work: done RESULT-MARK"
}
