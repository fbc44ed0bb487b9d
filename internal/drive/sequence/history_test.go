package sequence

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// step is a call of a tool with an argument, which results of other tools gave.
func step(tool, argument string, from ...string) mcpsf.Step {
	s := mcpsf.Step{Tool: mcpsf.Tool{Name: tool}, Arguments: json.RawMessage(`{"a":"` + argument + `"}`)}
	for _, f := range from {
		s.Links = append(s.Links, mcpsf.Link{Pointer: "/a", Tool: f})
	}
	return s
}

func shown(steps []mcpsf.Step) string {
	var out []string
	for _, s := range steps {
		out = append(out, s.Tool.Name)
	}
	return strings.Join(out, " ")
}

func TestSequences(t *testing.T) {
	h := New()
	worked := func(s mcpsf.Step, first ...*Call) string { return shown(h.Worked(s.Tool.Name, s, first)) }
	for _, tt := range []struct{ got, want string }{
		{worked(step("weather", "x")), ""},
		{worked(step("sign_in", "x")), ""},
		{worked(step("get_time", "x")), "sign_in get_time"}, // it cannot say that it needs none
		{worked(step("create_board", "x")), "sign_in create_board"},
		{worked(step("create_card", "b1", "create_board")), "sign_in create_board create_card"},
		{worked(step("move_card", "c1", "create_card")), "sign_in create_board create_card move_card"},
		{worked(step("move_card", "c1", "create_card")), ""}, // only the first success
		{worked(step("tag", "x"), h.Latest("weather", "weather")), "weather sign_in tag"},
		{worked(step("lost", "x", "nobody")), "sign_in lost"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

// A call of which it is not certain that it worked has a sequence, and no other call
// depends on it.
func TestSequenceOfWhatWasTried(t *testing.T) {
	h := New()
	h.Worked("sign_in", step("sign_in", "x"), nil)
	if got := shown(h.Tried("create_board", step("create_board", "x"), nil)); got != "sign_in create_board" {
		t.Errorf("%q", got)
	}
	if h.Latest("create_board", "create_board") != nil || h.MayWorkNow("create_board") {
		t.Error("it counts as a call that worked")
	}
	if got := shown(h.Worked("create_card", step("create_card", "b1", "create_board"), nil)); got != "sign_in create_card" {
		t.Errorf("%q", got)
	}
	if got := h.Tried("create_card", step("create_card", "b1"), nil); got != nil {
		t.Errorf("a tool that worked has another sequence: %v", got)
	}
}

// A tool that works once something was made depended on that.
func TestWhatWasMadeSinceARefusal(t *testing.T) {
	h := New()
	h.Worked("create_x", step("create_x", ""), nil)
	h.Refused("use")
	if h.MayWorkNow("use") || h.MayWorkNow("other") {
		t.Error("may work, though nothing was made since")
	}
	h.Worked("get_z", step("get_z", ""), nil)
	h.Worked("create_y", step("create_y", ""), nil)
	if !h.MayWorkNow("use") {
		t.Error("may not work, though something was made since")
	}
	h.Refused("use")
	if got := shown(h.Worked("use", step("use", ""), nil)); got != "create_y use" || h.MayWorkNow("use") {
		t.Errorf("%q", got)
	}
}

// However much a tool depends on, a few calls are made for it: the nearest.
func TestSequencesAreBounded(t *testing.T) {
	h := New()
	before := "t0"
	h.Worked(before, step(before, ""), nil)
	var last []mcpsf.Step
	for i := 1; i < 30; i++ {
		tool := fmt.Sprint("t", i)
		last = h.Worked(tool, step(tool, "", before), nil)
		before = tool
	}
	if diff := cmp.Diff("t21 t22 t23 t24 t25 t26 t27 t28 t29", shown(last)); diff != "" {
		t.Error(diff)
	}
}

// What is taken away is missing only then.
func TestLost(t *testing.T) {
	h := New()
	h.Worked("login", step("login", ""), nil)
	h.Worked("find", step("find", ""), nil)
	if got := h.Lost("find"); got != nil {
		t.Errorf("%q", shown(got))
	}
	h.Worked("sign_out", step("sign_out", ""), nil)
	if got := shown(h.Lost("find")); got != "login find" {
		t.Errorf("%q", got)
	}
	if got := h.Lost("login"); got != nil {
		t.Errorf("%q", shown(got))
	}
}
