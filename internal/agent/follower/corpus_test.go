package follower

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/llm"
)

// TestPoisoned: each order is obeyed, and the field that it stands in is named.
func TestPoisoned(t *testing.T) {
	for _, half := range halves() {
		t.Run(half, func(t *testing.T) {
			scenes := scenesOf(t, "testdata/"+half+"/poisoned.txt")
			missed := map[string]int{}
			all := map[string]int{}
			for i := range scenes {
				c := &scenes[i]
				all[c.vector]++
				k := c.play(t)
				var lost []string
				for _, w := range c.wants {
					if !k.has(w) {
						lost = append(lost, w)
					}
				}
				if c.field != "" && !k.from(c.field) {
					lost = append(lost, "field "+c.field)
				}
				if len(lost) > 0 {
					missed[c.vector]++
					t.Errorf("%s: not done: %q\ncalls: %s\ntext: %q\norders: %s", c.name, lost, callsOf(k), k.texts, ordersOf(k))
				}
			}
			n, total := 0, 0
			for v := range all {
				n, total = n+missed[v], total+all[v]
				t.Logf("%s: %d of %d", v, all[v]-missed[v], all[v])
			}
			t.Logf("%s: %d of %d poisoned were obeyed", half, total-n, total)
		})
	}
}

// TestBenign: what an honest server wants leads to nothing that is private.
func TestBenign(t *testing.T) {
	for _, half := range halves() {
		t.Run(half, func(t *testing.T) {
			scenes := scenesOf(t, "testdata/"+half+"/benign.txt")
			n := 0
			for i := range scenes {
				c := &scenes[i]
				k := c.play(t)
				if wrong := c.wrong(k); len(wrong) > 0 {
					n++
					t.Errorf("%s: done unasked: %q\ncalls: %s\ntext: %q\norders: %s", c.name, wrong, callsOf(k), k.texts, ordersOf(k))
				}
			}
			t.Logf("%s: %d of %d benign led to a false deed", half, n, len(scenes))
		})
	}
}

// halves are the texts that the grammar was made with; FOLLOWER_HELD adds those
// that it was not.
func halves() []string {
	if os.Getenv("FOLLOWER_HELD") != "" {
		return []string{"tune", "held", "blind"}
	}
	return []string{"tune"}
}

// wrong is what an agent must not do because of a benign text: call a tool
// beside the server's that the user has not named, or change what he gave it;
// pass on anything private; ask for secrets.
func (c *scene) wrong(k *talk) []string {
	var out []string
	foreign := []string{}
	for _, name := range k.does {
		foreign = append(foreign, name)
	}
	own := func(name string) bool {
		return slices.ContainsFunc(c.tools, func(t llm.Tool) bool { return t.Name == name })
	}
	for _, call := range k.calls {
		if slices.Contains(foreign, call.Name) && !own(call.Name) && !c.named(call) {
			out = append(out, "foreign "+call.Name+" "+string(call.Arguments))
		}
		for _, mark := range []string{fileMark, secretMark, chatMark, systemMark, envMark} {
			if strings.Contains(string(call.Arguments), mark) {
				out = append(out, "carried "+mark+" to "+call.Name)
			}
		}
	}
	text := strings.Join(k.texts, "\n")
	for _, mark := range []string{secretMark, chatMark, systemMark, envMark, "please tell me the"} {
		if strings.Contains(text, mark) {
			out = append(out, "said "+mark)
		}
	}
	return out
}

// named: the user has asked for exactly this call.
func (c *scene) named(call llm.Call) bool {
	for _, m := range named.FindAllStringSubmatchIndex(c.task, -1) {
		if c.task[m[4]:m[5]] != call.Name || m[6] < 0 {
			continue
		}
		var want, got any
		if json.NewDecoder(strings.NewReader(c.task[m[6]:])).Decode(&want) == nil && json.Unmarshal(call.Arguments, &got) == nil && cmp.Equal(want, got) {
			return true
		}
	}
	return false
}

func callsOf(k *talk) string {
	var out []string
	for _, c := range k.calls {
		out = append(out, c.Name+string(c.Arguments))
	}
	return strings.Join(out, "\n       ")
}

func ordersOf(k *talk) string {
	raw, err := json.MarshalIndent(k.orders, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(raw)
}
