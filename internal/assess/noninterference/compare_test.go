package noninterference

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// start returns the events of one start: a call that sends the given requests.
func start(requests ...mcpsf.HTTPDetail) []mcpsf.Event {
	events := []mcpsf.Event{{Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseDrive, Call: "c1", MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: "fetch"}}}
	for _, r := range requests {
		events = append(events, mcpsf.Event{
			Kind: mcpsf.KindNetHTTP, Phase: mcpsf.PhaseDrive, Call: "c1", Net: &mcpsf.NetDetail{Name: "api.weather.example"}, HTTP: &r,
		})
	}
	return events
}

func get(url string, headers ...mcpsf.HTTPHeader) mcpsf.HTTPDetail {
	return mcpsf.HTTPDetail{Method: "GET", URL: url, Headers: headers}
}

func runs(usual, usualAgain, other, otherAgain []mcpsf.Event) *Runs {
	return &Runs{
		Usual:   [2]Messages{Read(usual), Read(usualAgain)},
		Other:   [2]Messages{Read(other), Read(otherAgain)},
		Replace: strings.NewReplacer("s3cret", "0ther1").Replace,
	}
}

func TestCompare(t *testing.T) {
	id := func(v string) mcpsf.HTTPHeader { return mcpsf.HTTPHeader{Name: "X-Request-Id", Value: v} }
	page := func(n string) []mcpsf.Event { return start(get("/list?page=" + n)) }
	ab := start(get("/", mcpsf.HTTPHeader{Name: "A", Value: "1"}, mcpsf.HTTPHeader{Name: "B", Value: "2"}))
	ba := start(get("/", mcpsf.HTTPHeader{Name: "B", Value: "2"}, mcpsf.HTTPHeader{Name: "A", Value: "1"}))
	two := start(get("/"), get("/"))
	one, none := start(get("/")), start()
	for _, test := range []struct {
		name  string
		runs  *Runs
		part  string // of the flow, "" for none
		noisy int
	}{
		{"the same", runs(page("1"), page("1"), page("1"), page("1")), "", 0},
		{"a number of the secret", runs(page("84"), page("84"), page("113"), page("113")), "request", 0},
		{"the secret as it is", runs(page("s3cret"), page("s3cret"), page("0ther1"), page("0ther1")), "", 0},
		{"noise", runs(page("1"), page("2"), page("3"), page("4")), "", 1},
		{"noise in the same text", runs(start(get("/a7", id("p-84"))), start(get("/b9", id("q-84"))), start(get("/c1", id("r-113"))), start(get("/d5", id("s-113")))), "", 1},
		{"the order of headers", runs(ab, ab, ba, ba), "header order", 0},
		{"how many", runs(two, two, one, one), "number of messages", 0},
		{"only with these secrets", runs(one, one, none, none), "number of messages", 0},
		{"a number that is noise", runs(two, one, one, two), "", 1},
		{"calls that only some starts made", runs(one, one, nil, nil), "", 1},
		{"an order that is noise", runs(ab, ba, ba, ab), "", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := test.runs.Compare()
			flows := got.Flows
			part := ""
			if len(flows) > 0 {
				part = flows[0].Detail.Part
			}
			if part != test.part || got.Noisy != test.noisy || len(flows) > 1 {
				t.Errorf("got %+v, want %q and %d noisy", got, test.part, test.noisy)
			}
		})
	}
}

// A start that a call took down was followed by another. What the server sends when it
// starts again is compared if all starts had that, and is no flow if only some had.
func TestCompareRestarts(t *testing.T) {
	boot := func(url string) []mcpsf.Event {
		r := get(url)
		return []mcpsf.Event{
			{Kind: mcpsf.KindSandboxStart, Phase: mcpsf.PhaseStart},
			{Kind: mcpsf.KindNetHTTP, Phase: mcpsf.PhaseStart, Net: &mcpsf.NetDetail{Name: "api.weather.example"}, HTTP: &r},
		}
	}
	steady := slices.Concat(boot("/hello"), start(get("/a")))
	crashed := slices.Concat(boot("/hello"), boot("/hello"), start(get("/a")))
	if got := runs(crashed, crashed, steady, steady).Compare(); len(got.Flows) > 0 || got.Noisy != 1 {
		t.Errorf("a restart: %+v", got)
	}
	if got := runs(crashed, crashed, crashed, crashed).Compare(); len(got.Flows) > 0 || got.Noisy != 0 {
		t.Errorf("the same restarts: %+v", got)
	}
	thief := slices.Concat(boot("/hello"), boot("/page-84"), start(get("/a")))
	other := slices.Concat(boot("/hello"), boot("/page-113"), start(get("/a")))
	if got := runs(thief, thief, other, other).Compare(); len(got.Flows) != 1 || got.Flows[0].Detail.Part != "request" {
		t.Errorf("a theft after a restart: %+v", got)
	}
}

// Names that were looked up are compared with their case, in any order.
func TestCompareNames(t *testing.T) {
	look := func(names ...string) []mcpsf.Event {
		events := start()
		for _, n := range names {
			events = append(events, mcpsf.Event{Kind: mcpsf.KindNetDNS, Phase: mcpsf.PhaseDrive, Call: "c1", Net: &mcpsf.NetDetail{Name: n}})
		}
		return events
	}
	a, b := look("a.example", "b.example", "a.example"), look("b.example", "a.example")
	if got := runs(a, b, b, a).Compare(); len(got.Flows) > 0 || got.Noisy > 0 {
		t.Errorf("the order of look-ups: %+v", got)
	}
	c := look("A.example", "b.example")
	flows := runs(a, a, c, c).Compare().Flows
	if len(flows) != 1 || flows[0].Detail.Part != "name" || flows[0].Call != "c1" || flows[0].Detail.Tool != "fetch" {
		t.Errorf("the case of a name: %+v", flows)
	}
}

// What a call returns is compared as well; noise in it is no gap.
func TestCompareResults(t *testing.T) {
	says := func(text string) []mcpsf.Event {
		return append(start(), mcpsf.Event{
			Kind: mcpsf.KindMCPResponse, Phase: mcpsf.PhaseDrive, Call: "c1",
			MCP: &mcpsf.MCPDetail{FromServer: true, Method: "tools/call", Tool: "fetch", Body: []byte(`"` + text + `"`)},
		})
	}
	flows := runs(says("quiet gardens"), says("quiet gardens"), says("bright rooms"), says("bright rooms")).Compare().Flows
	if len(flows) != 1 || flows[0].Detail.Host != "" || flows[0].Detail.Part != "result" {
		t.Errorf("a result that depends on the secret: %+v", flows)
	}
	same := runs(says("a s3cret"), nil, says("a 0ther1"), nil)
	if !same.Same() {
		t.Error("a secret as it is in a result is another matter")
	}
	if got := runs(says("1"), says("2"), says("3"), says("4")).Compare(); len(got.Flows) > 0 || got.Noisy > 0 {
		t.Errorf("noise in a result: %+v", got)
	}
}

// What is random in one call of a tool is random in all of them, even where it is
// equal by chance.
func TestCompareByChance(t *testing.T) {
	calls := func(first, second string) []mcpsf.Event {
		events := start(get("/?n=" + first))
		again := start(get("/?n=" + second))
		for i := range again {
			again[i].Call = "c2"
		}
		return append(events, again...)
	}
	got := runs(calls("1", "3"), calls("1", "4"), calls("2", "3"), calls("2", "3")).Compare()
	if len(got.Flows) > 0 || got.Noisy != 1 {
		t.Errorf("got %+v", got)
	}
}

// More messages than are compared are a gap, not an answer.
func TestCompareTooMany(t *testing.T) {
	many := make([]mcpsf.HTTPDetail, maxMessages+1)
	for i := range many {
		many[i] = get("/")
	}
	all := start(many...)
	equal := runs(all, all, all, all)
	if got := equal.Compare(); equal.Same() || len(got.Flows) > 0 || got.Noisy != 1 {
		t.Errorf("same %v, compared %+v", equal.Same(), got)
	}
}

// A thread sends in the time of this call or of the next. What it sends is
// compared all the same.
func TestCompareThreads(t *testing.T) {
	calls := func(sendingCall, url string) []mcpsf.Event {
		events := start(get(url))
		events[1].Call = sendingCall
		next := events[0]
		next.Call = "c2"
		return append(events, next)
	}
	atOnce, late := calls("c1", "/a"), calls("c2", "/a")
	if got := runs(atOnce, late, late, atOnce).Compare(); len(got.Flows) > 0 || got.Noisy > 0 {
		t.Errorf("the same, by a thread: %+v", got)
	}
	if got := runs(atOnce, atOnce, late, late).Compare(); len(got.Flows) > 0 || got.Noisy > 0 {
		t.Errorf("the same, at another time by chance: %+v", got)
	}
	got := runs(atOnce, late, calls("c2", "/b"), calls("c1", "/b")).Compare()
	if len(got.Flows) != 1 || got.Flows[0].Detail.Part != "request" || got.Noisy > 0 {
		t.Errorf("a request that depends on the secret, by a thread: %+v", got)
	}
	secret := func(call string) []mcpsf.Event { return calls(call, "/?k=s3cret") }
	other := func(call string) []mcpsf.Event { return calls(call, "/?k=0ther1") }
	if got := runs(secret("c1"), secret("c2"), other("c2"), other("c1")).Compare(); len(got.Flows) > 0 || got.Noisy > 0 {
		t.Errorf("the secret as it is, by a thread: %+v", got)
	}
}

// The kernel's local ports are random. Those that a server chooses can carry a
// secret.
func TestCompareLocalPorts(t *testing.T) {
	from := func(port int) []mcpsf.Event {
		return append(start(), mcpsf.Event{
			Kind: mcpsf.KindNetFlow, Phase: mcpsf.PhaseDrive, Call: "c1",
			Net: &mcpsf.NetDetail{Name: "api.weather.example", Port: 443, Local: port}, Flow: &mcpsf.FlowDetail{Digest: "d"},
		})
	}
	kernel := runs(from(20001), nil, from(31007), nil)
	kernel.Before = Read(from(45110))
	if !kernel.Same() {
		t.Error("ports of the kernel")
	}
	chosen := runs(from(33103), from(33103), from(33207), from(33207))
	chosen.Before = Read(from(33103))
	if flows := chosen.Compare().Flows; chosen.Same() || len(flows) != 1 || flows[0].Detail.Part != localPart {
		t.Errorf("ports that the server chooses: %+v", flows)
	}
}

// A random number beside a secret does not hide it.
func TestCompareWords(t *testing.T) {
	says := func(texts ...string) []mcpsf.Event {
		var events []mcpsf.Event
		for i, text := range texts {
			call := "c" + strconv.Itoa(i+1)
			events = append(events,
				mcpsf.Event{Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseDrive, Call: call, MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: "draft"}},
				mcpsf.Event{Kind: mcpsf.KindMCPResponse, Phase: mcpsf.PhaseDrive, Call: call, MCP: &mcpsf.MCPDetail{FromServer: true, Method: "tools/call", Tool: "draft", Body: []byte(`"` + text + `"`)}})
		}
		return events
	}
	links := func(id, a, b, c string) []mcpsf.Event {
		return says("draft "+id+"1 see /d/"+a, "draft "+id+"2 see /d/"+b, "draft "+id+"3 see /d/"+c)
	}
	hidden := runs(links("k3", "aGVsbG", "8gd29y", "bGQhIQ"), links("p9", "aGVsbG", "8gd29y", "bGQhIQ"), links("x1", "Zm9vYm", "Fyc3Bh", "bXNwYW"), links("w7", "Zm9vYm", "Fyc3Bh", "bXNwYW"))
	if flows := hidden.Compare().Flows; len(flows) != 1 || flows[0].Detail.Part != "result" || flows[0].Detail.Tool != "draft" {
		t.Errorf("words that depend on the secret beside a random one: %+v", flows)
	}
	short := func(id, words string) []mcpsf.Event { return says("draft " + id + " see /d/" + words) }
	if flows := runs(short("k3a", "ant-bat-cat-doe-eel"), short("p9b", "ant-bat-cat-doe-eel"), short("x1c", "fox-gnu-hen-jay-kid"), short("w7d", "fox-gnu-hen-jay-kid")).Compare().Flows; len(flows) != 1 {
		t.Errorf("short words: %+v", flows)
	}
	clock := func(id, time string) []mcpsf.Event { return says("draft " + id + " at " + time) }
	if flows := runs(clock("k3a", "2026-11-18 04:51:07 Wed Nov"), clock("p9b", "2026-11-18 04:51:07 Wed Nov"), clock("x1c", "2026-12-19 05:52:18 Thu Dec"), clock("w7d", "2026-12-19 05:52:18 Thu Dec")).Compare().Flows; len(flows) != 0 {
		t.Errorf("the time of day: %+v", flows)
	}
	weather := func(a, b, c string) []mcpsf.Event { return says("1 "+a, "2 "+b, "3 "+c) }
	random := runs(weather("sunny", "cloudy", "sunny"), weather("sunny", "cloudy", "windy"), weather("cloudy", "sunny", "windy"), weather("cloudy", "sunny", "sunny"))
	if got := random.Compare(); len(got.Flows) > 0 {
		t.Errorf("a word by chance: %+v", got)
	}
	at := func(s string) []mcpsf.Event { return says("x"+s+" 1763424"+s, "y"+s+" 1763424"+s, "z"+s+" 1763424"+s) }
	if got := runs(at("301"), at("302"), at("307"), at("309")).Compare(); len(got.Flows) > 0 {
		t.Errorf("times: %+v", got)
	}
}

// Forms and notifications of the server are compared as results are.
func TestCompareRequestsOfTheServer(t *testing.T) {
	asks := func(kind mcpsf.Kind, text string) []mcpsf.Event {
		return append(start(), mcpsf.Event{
			Kind: kind, Phase: mcpsf.PhaseDrive, Call: "c1",
			MCP: &mcpsf.MCPDetail{FromServer: true, Method: "elicitation/create", Body: []byte(`"` + text + `"`)},
		})
	}
	for _, kind := range []mcpsf.Kind{mcpsf.KindMCPRequest, mcpsf.KindMCPNotification} {
		a, b := asks(kind, "https://login.example/?state=84f1"), asks(kind, "https://login.example/?state=11ab")
		if flows := runs(a, a, b, b).Compare().Flows; len(flows) != 1 || flows[0].Detail.Host != "" {
			t.Errorf("%s: %+v", kind, flows)
		}
	}
}

// How often a name is looked up can spell a secret; a resolver that asks once more
// does not.
func TestCompareNumberOfLookups(t *testing.T) {
	look := func(counts ...int) []mcpsf.Event {
		events := start()
		for i, n := range counts {
			for range n {
				events = append(events, mcpsf.Event{Kind: mcpsf.KindNetDNS, Phase: mcpsf.PhaseDrive, Call: "c1", Net: &mcpsf.NetDetail{Name: "n" + strconv.Itoa(i) + ".example"}})
			}
		}
		return events
	}
	spelled := runs(look(3, 14, 1, 7), look(3, 14, 1, 7), look(12, 2, 9, 5), look(12, 2, 9, 5))
	if flows := spelled.Compare().Flows; spelled.Same() || len(flows) != 1 || flows[0].Detail.Part != numbersPart {
		t.Errorf("numbers that spell a secret: %+v", flows)
	}
	again := runs(look(2, 2), look(2, 3), look(3, 2), look(2, 2))
	if got := again.Compare(); !again.Same() || len(got.Flows) > 0 || got.Noisy > 0 {
		t.Errorf("a resolver that asks again: %+v", got)
	}
}

// The order of requests counts even where a thread moves one to the next call.
func TestCompareOrderOfThreads(t *testing.T) {
	send := func(late bool, paths ...string) []mcpsf.Event {
		events := start()
		for i, p := range paths {
			r := start(get(p))[1]
			r.T = float64(i)
			if late && i == len(paths)-1 {
				r.Call = "c2"
			}
			events = append(events, r)
		}
		next := events[0]
		next.Call = "c2"
		return append(events, next)
	}
	a, b := []string{"/1", "/2", "/3", "/4"}, []string{"/4", "/2", "/1", "/3"}
	got := runs(send(false, a...), send(true, a...), send(true, b...), send(false, b...)).Compare()
	if len(got.Flows) != 1 || got.Flows[0].Detail.Part != "request" {
		t.Errorf("an order that spells a secret: %+v", got)
	}
	if got := runs(send(false, a...), send(true, b...), send(true, b...), send(false, a...)).Compare(); len(got.Flows) > 0 || got.Noisy > 0 {
		t.Errorf("a few requests beside each other: %+v", got)
	}
}

// The size of a result with a random number in it is random, too.
func TestCompareSizes(t *testing.T) {
	says := func(text string) []mcpsf.Event {
		return append(start(), mcpsf.Event{
			Kind: mcpsf.KindMCPResponse, Phase: mcpsf.PhaseDrive, Call: "c1",
			MCP: &mcpsf.MCPDetail{FromServer: true, Method: "tools/call", Tool: "fetch", Size: int64(len(text)), Body: []byte(`"` + text + `"`)},
		})
	}
	if got := runs(says("open, 9 ms"), says("open, 8 ms"), says("open, 11 ms"), says("open, 10 ms")).Compare(); len(got.Flows) > 0 {
		t.Errorf("got %+v", got)
	}
}
