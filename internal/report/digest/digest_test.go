package digest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/wording"
)

func TestTimeless(t *testing.T) {
	for _, tt := range []struct {
		name   string
		events []mcpsf.Event
		want   []bool
	}{
		{"in order", []mcpsf.Event{{T: 1}, {T: 1}, {T: 2, Count: 3}, {T: 3}}, []bool{false, false, false, false}},
		{"the last time of many", []mcpsf.Event{{T: 1}, {T: 9, Count: 3}, {T: 2}}, []bool{false, true, false}},
		{"many among many", []mcpsf.Event{{T: 8, Count: 2}, {T: 7, Count: 2}, {T: 9}}, []bool{false, true, false}},
		{"a clock that runs back", []mcpsf.Event{{T: 5}, {T: 4}, {T: 6}}, []bool{false, true, false}},
	} {
		if diff := cmp.Diff(tt.want, timeless(tt.events)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestQuiet(t *testing.T) {
	exec := func(errno string) *mcpsf.Event {
		return &mcpsf.Event{Kind: mcpsf.KindProcessExec, Process: &mcpsf.ProcessDetail{Path: "/bin/x", Error: errno}}
	}
	connect := func(family, errno string) *mcpsf.Event {
		return &mcpsf.Event{Kind: mcpsf.KindNetConnect, Net: &mcpsf.NetDetail{Family: family, Address: "/x", Error: errno}}
	}
	stat := func(path string) *mcpsf.Event {
		return &mcpsf.Event{Kind: mcpsf.KindFileStat, File: &mcpsf.FileDetail{Path: path}}
	}
	for _, tt := range []struct {
		event *mcpsf.Event
		want  string
	}{
		{exec("ENOENT"), "lookup{s} of missing programs"},
		{exec(""), ""},
		{exec("EACCES"), ""},
		{connect("unix", "ENOENT"), "lookup{s} of missing sockets"},
		{connect("unix", ""), ""},
		{connect("unix", "EACCES"), ""},
		{connect("ip4", "ENOENT"), ""},
		{stat("/home/dev/code"), "look{s} at the directories above its own"},
		{stat("/home/dev/.ssh"), ""},
		{&mcpsf.Event{Kind: mcpsf.KindMCPRequest, MCP: &mcpsf.MCPDetail{FromServer: true}}, ""},
		{&mcpsf.Event{Kind: mcpsf.KindMCPResponse, MCP: &mcpsf.MCPDetail{FromServer: true}}, Unspoken},
	} {
		if got := Quiet(tt.event, "c1"); got != tt.want {
			t.Errorf("%+v is %q, want %q", tt.event, got, tt.want)
		}
	}
}

func TestBlocks(t *testing.T) {
	finding := func(id, tool, message string, evidence ...int64) mcpsf.Finding {
		return mcpsf.Finding{ID: id, Tool: tool, Message: message, Evidence: evidence, Call: "c1"}
	}
	all := Blocks([]mcpsf.Finding{
		finding("a", "x", "The file one was read.", 7, 3),
		finding("b", "x", "The file one was read."),
		finding("a", "x", "The file two of two was read.", 3, 5),
		finding("a", "y", "The file one was read."),
	})
	if len(all) != 3 {
		t.Fatalf("%d blocks, want 3", len(all))
	}
	message, others := all[0].Told()
	if message != "The file one was read." {
		t.Errorf("message %q", message)
	}
	if diff := cmp.Diff([]string{"two of two"}, others); diff != "" {
		t.Errorf("others (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int64{3, 5, 7}, all[0].Evidence()); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
}

// Messages with nothing or everything in common must not crash or lose a
// message.
func TestToldOddMessages(t *testing.T) {
	for _, tt := range []struct {
		messages []string
		message  string
		others   []string
	}{
		{[]string{"a b", "a b"}, "a b", nil},
		{[]string{"", "a"}, "", []string{"a"}},
		{[]string{"a", "b"}, "a", []string{"b"}},
		{[]string{"a a", "a a a"}, "a a", []string{"a a a"}},
		{[]string{"a x c", "a c"}, "a x c", []string{"c"}},
		{[]string{"The file x was read.", "The file y was read."}, "The file x was read.", []string{"y"}},
	} {
		var b Block
		for _, m := range tt.messages {
			b = append(b, mcpsf.Finding{Message: m})
		}
		message, others := b.Told()
		if diff := cmp.Diff(tt.others, others); diff != "" || message != tt.message {
			t.Errorf("%q: message %q, others (-want +got):\n%s", tt.messages, message, diff)
		}
	}
}

func TestAmount(t *testing.T) {
	for _, tt := range []struct {
		n    int64
		unit string
		want string
	}{
		{512 << 20, "bytes per file system", "512 MiB per file system"},
		{1 << 30, "bytes", "1 GiB"},
		{300, "seconds", "5 min"},
		{90, "s", "90 s"},
		{4096, "per process", "4096 per process"},
		{256, "", "256"},
	} {
		if got := wording.Amount(tt.n, tt.unit); got != tt.want {
			t.Errorf("%d %s is %q, want %q", tt.n, tt.unit, got, tt.want)
		}
	}
}

// The timeline shows what is new: the first call of each tool, and every group
// that proves a finding not proved above, attacks included.
func TestWorthShowing(t *testing.T) {
	call := func(tool string, attacked bool, rows int, proves ...int) *Group {
		g := &Group{Call: "c1", Rows: make([]Row, rows), proves: map[int]bool{}, request: &mcpsf.MCPDetail{Method: "tools/call", Tool: tool}}
		if attacked {
			g.request.Attack = &mcpsf.AttackDetail{}
		}
		for _, finding := range proves {
			g.proves[finding] = true
		}
		return g
	}
	seen := &shown{findings: map[int]bool{}, calls: map[string]bool{}}
	for i, tt := range []struct {
		group *Group
		want  bool
	}{
		{call("read", false, 2, 0), true},
		{call("read", false, 2, 0), false},
		{call("read", false, 0), false},
		{call("read", false, 2, 0, 1), true},
		{call("list", true, 2), false},
		{call("list", true, 2, 1), false},
		{call("list", true, 2, 2), true},
		{call("list", false, 0), true},
		{&Group{Phase: mcpsf.PhaseStop}, true},
	} {
		if got := seen.worth(tt.group); got != tt.want {
			t.Errorf("group %d is shown: %t", i, got)
		}
	}
}
