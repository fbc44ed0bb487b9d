package assess

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestIsStolen(t *testing.T) {
	leak := func(change func(*mcpsf.LeakDetail)) mcpsf.Event {
		l := &mcpsf.LeakDetail{Kind: "aws-credentials", Source: "/home/dev/.aws/credentials", Channel: mcpsf.ChannelHTTP, Destination: "in.sink.example:443", Share: 1}
		change(l)
		return mcpsf.Event{Kind: mcpsf.KindCanaryLeak, Call: "c1", Leak: l}
	}
	for name, test := range map[string]struct {
		asked string
		leak  func(*mcpsf.LeakDetail)
		want  bool
	}{
		"a theft":              {`{"city":"Bern"}`, func(*mcpsf.LeakDetail) {}, true},
		"the caller names it":  {`{"path":"~/.aws/credentials"}`, func(*mcpsf.LeakDetail) {}, false},
		"to its own service":   {`{}`, func(l *mcpsf.LeakDetail) { l.Belongs = true }, false},
		"a part of it":         {`{}`, func(l *mcpsf.LeakDetail) { l.Share = 0.6 }, false},
		"in a result":          {`{}`, func(l *mcpsf.LeakDetail) { l.Channel = mcpsf.ChannelMCP }, false},
		"of the caller":        {`{}`, func(l *mcpsf.LeakDetail) { l.Given = true }, false},
		"of the configuration": {`{}`, func(l *mcpsf.LeakDetail) { l.Configured = true }, false},
		"a document":           {`{}`, func(l *mcpsf.LeakDetail) { l.Kind = mcpsf.DecoyDocument }, false},
	} {
		events := []mcpsf.Event{{Kind: mcpsf.KindMCPRequest, Call: "c1", MCP: &mcpsf.MCPDetail{Body: []byte(test.asked)}}, leak(test.leak)}
		if got := isStolen(events, nil); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
		if isStolen(events, []string{"--profile-file", "/home/dev/.aws/credentials"}) {
			t.Errorf("%s: the configuration names it", name)
		}
	}
}
