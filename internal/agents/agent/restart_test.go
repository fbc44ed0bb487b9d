package agent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// mortal is a server that a tool takes down, unless that is left out.
type mortal struct {
	*scripted
	leaveOut, gone bool
}

func (m *mortal) Call(ctx context.Context, tool string, input schema.Input) (Answer, error) {
	switch {
	case m.gone || tool == "quit" && !m.leaveOut:
		m.gone = true
		return Answer{}, errors.New("the server is gone")
	case tool == "quit":
		return Answer{Text: "Connection closed", Failed: true}, nil
	}
	return m.scripted.Call(ctx, tool, input)
}

// crashingWorld has twenty tools, which are two tasks; the server does not survive
// the second one.
func crashingWorld(t *testing.T, leaveOut bool) *World {
	t.Helper()
	var tools []mcpsf.Tool
	answers := map[string][]string{}
	for _, name := range append(strings.Split("abcdefghijklmnopqrs", ""), "quit") {
		tools = append(tools, mcpsf.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)})
		answers[name] = []string{"fine"}
	}
	w := world(t, tools, answers)
	m := &mortal{scripted: w.Server.(*scripted), leaveOut: leaveOut}
	w.Server, w.Gone = m, func() bool { return m.gone }
	return w
}

// The task in which the server ended is given again with the next start, and those
// before it are not.
func TestTaskIsGivenAgainAfterACrash(t *testing.T) {
	runner := &Runner{}
	work, err := runner.Run(t.Context(), crashingWorld(t, false), nil)
	if err != nil || !work.Broken() || work.Run.Tasks != 1 || len(work.Lost) > 0 {
		t.Fatalf("first start: %+v, broken %t, error %v", work.Run, work.Broken(), err)
	}
	again := crashingWorld(t, true)
	work, err = runner.Run(t.Context(), again, work)
	if err != nil || work.Broken() || work.Run.Tasks != 2 || len(work.Lost) > 0 {
		t.Errorf("second start: %+v, broken %t, error %v", work.Run, work.Broken(), err)
	}
	if n := again.Server.(*mortal).calls["a"]; n != 0 {
		t.Errorf("a tool of the first task was called %d times in the second start", n)
	}
	if again.Server.(*mortal).calls["s"] == 0 {
		t.Error("the task was not given again")
	}
}

// Without another start what is lost is said.
func TestTasksAfterTheLastCrash(t *testing.T) {
	runner := &Runner{}
	work, err := runner.Run(t.Context(), crashingWorld(t, false), nil)
	if err != nil {
		t.Fatal(err)
	}
	work.GiveUp(runner)
	if work.Broken() || work.Run.Tasks != 2 || len(work.Run.Lost) != 2 || !strings.Contains(work.Run.Lost[0], "broke off") {
		t.Errorf("%+v", work.Run)
	}
}
