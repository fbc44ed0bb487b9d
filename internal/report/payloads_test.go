package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// The report says what a model proposed, and what was rejected; without a model it says nothing.
func TestPayloads(t *testing.T) {
	dollars := 0.125
	for _, c := range []struct {
		run  *mcpsf.PayloadRun
		want string
	}{
		{nil, ""},
		{
			&mcpsf.PayloadRun{Model: "openai/x\x1b[2J", Tools: 6, Unanswered: 1, Proposed: 31, LeftOut: 9, Calls: 28, Usage: &mcpsf.ModelUsage{TokensIn: 7, TokensOut: 3, Dollars: &dollars}},
			"5 of 6 tools answered - 31 payloads proposed, 9 left out - 28 calls - 10 tokens, $0.12",
		},
		{&mcpsf.PayloadRun{Model: "local", Tools: 1, Unanswered: 1}, "local - 0 of 1 tool answered - 0 payloads proposed, 0 left out - 0 calls"},
	} {
		r := sample()
		r.Payloads = c.run
		var buf bytes.Buffer
		if err := Write(&buf, FormatTimeline, r, nil, Style{Width: 200}); err != nil {
			t.Fatal(err)
		}
		out := buf.String()
		if has := strings.Contains(out, "payloads "); has != (c.run != nil) || !strings.Contains(out, c.want) || strings.Contains(out, "\x1b[2J") {
			t.Errorf("%+v: want %q in\n%s", c.run, c.want, out)
		}
	}
}
