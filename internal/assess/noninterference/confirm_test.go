package noninterference

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// session returns the events of a start in which each call makes its requests.
func session(calls ...[]string) []mcpsf.Event {
	var events []mcpsf.Event
	for i, requests := range calls {
		id := fmt.Sprintf("c%d", i)
		events = append(events, mcpsf.Event{Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseDrive, Call: id, MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: fmt.Sprintf("tool%d", i)}})
		for _, url := range requests {
			r := get(url)
			events = append(events, mcpsf.Event{Kind: mcpsf.KindNetHTTP, Phase: mcpsf.PhaseDrive, Call: id, Net: &mcpsf.NetDetail{Name: "api.weather.example"}, HTTP: &r})
		}
	}
	return events
}

// confirmed compares eight starts, of which start makes one.
func confirmed(start func(other bool) []mcpsf.Event) Comparison {
	four := func() *Runs { return runs(start(false), start(false), start(true), start(true)) }
	return Confirm(four(), four())
}

// Races decide the order of requests, and whether one is made again. They are not
// charged to the secrets, whatever else depends on them.
func TestRaces(t *testing.T) {
	const tries, tools = 60, 60
	wrong, missed := 0, 0
	for seed := range uint64(tries) {
		d := rand.New(rand.NewPCG(seed, 1))
		racy := func(secret string) []mcpsf.Event {
			calls := [][]string{{"/v1?state=" + secret}}
			for range tools {
				switch d.IntN(4) {
				case 0:
					calls = append(calls, []string{"/projects", "/projects/archived"})
				case 1:
					calls = append(calls, []string{"/projects/archived", "/projects"})
				case 2:
					calls = append(calls, []string{"/projects"})
				default:
					calls = append(calls, []string{"/projects", "/projects"})
				}
			}
			return session(calls...)
		}
		honest := confirmed(func(bool) []mcpsf.Event { return racy("") })
		if len(honest.Flows) > 0 {
			wrong++
		}
		thief := confirmed(func(other bool) []mcpsf.Event {
			if other {
				return racy("93d1c02be5af")
			}
			return racy("1f0e77a2c9b4")
		})
		if len(thief.Flows) == 0 || !strings.Contains(thief.Flows[0].Detail.Usual, "1f0e77a2c9b4") {
			missed++
		}
	}
	if wrong > 0 || missed > 0 {
		t.Errorf("of %d: %d false alarms, %d thefts missed", tries, wrong, missed)
	}
}

// Without races a number, an order or a letter tells.
func TestWeakFlows(t *testing.T) {
	for name, pair := range map[string][2][]mcpsf.Event{
		"a number": {session([]string{"/a", "/a", "/a"}), session([]string{"/a"})},
		"an order": {session([]string{"/a", "/b"}), session([]string{"/b", "/a"})},
		"a letter": {session([]string{"/a?x=1"}), session([]string{"/a?x=2"})},
	} {
		got := confirmed(func(other bool) []mcpsf.Event {
			if other {
				return pair[1]
			}
			return pair[0]
		})
		if len(got.Flows) != 1 || got.Noisy != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A race that shows in other calls needs no confirmation.
func TestWithoutRaces(t *testing.T) {
	one, two := []string{"/a"}, []string{"/a", "/a"}
	got := runs(session(one, one), session(one, two), session(two, two), session(two, one)).Compare()
	if len(got.Flows) != 1 {
		t.Fatalf("%+v", got)
	}
	if got := got.WithoutRaces(); len(got.Flows) != 0 || got.Noisy != 2 {
		t.Errorf("%+v", got)
	}
}

// What a call returns after a race is the race's.
func TestResultOfRace(t *testing.T) {
	one, two := []string{"/a"}, []string{"/a", "/a"}
	returned := func(requests []string, text string) []mcpsf.Event {
		return append(session(requests, one), mcpsf.Event{Kind: mcpsf.KindMCPResponse, Phase: mcpsf.PhaseDrive, Call: "c0", MCP: &mcpsf.MCPDetail{FromServer: true, Method: "tools/call", Body: []byte(text)}})
	}
	usual, other := returned(one, `{"error":"not an array"}`), returned(two, `{"error":"a string is missing"}`)
	got := runs(usual, usual, other, other).Compare().WithoutRaces()
	if len(got.Flows) != 2 {
		t.Errorf("without a race: %+v", got)
	}
	race := func(events []mcpsf.Event, n int) []mcpsf.Event {
		return append(slices.Clip(events), session(nil, nil, [][]string{one, two}[n])...)
	}
	got = runs(race(usual, 0), race(usual, 1), race(other, 1), race(other, 0)).Compare().WithoutRaces()
	if len(got.Flows) != 0 {
		t.Errorf("with a race: %+v", got)
	}
}

// Where the first start already differs from the second, which has the same secrets,
// no more are needed.
func TestEarly(t *testing.T) {
	early := func(before, usual, other string) (Comparison, bool) {
		r := runs(session([]string{usual}), nil, session([]string{other}), nil)
		r.Before = Read(session([]string{before}))
		return r.Early()
	}
	if c, settled := early("/a?id=1", "/a?id=2", "/a?id=3"); !settled || c.Noisy != 1 {
		t.Errorf("noise: %+v %t", c, settled)
	}
	r := runs(nil, nil, nil, nil)
	r.Before = Read(session([]string{"/a?id=1"}))
	r.Usual[0] = Read(session([]string{"/a?id=2"}), session(nil, []string{"/b?x=1f0e77a2c9b4"}))
	r.Other[0] = Read(session([]string{"/a?id=3"}), session(nil, []string{"/b?x=93d1c02be5af"}))
	if c, settled := r.Early(); settled {
		t.Errorf("a flow of the second start: %+v", c)
	}
	if c, settled := early("/a?x=1f0e77a2c9b4", "/a?x=1f0e77a2c9b4", "/a?x=93d1c02be5af"); settled {
		t.Errorf("a flow: %+v", c)
	}
}

// What two pairs of starts show and the next two do not is noise.
func TestUnconfirmed(t *testing.T) {
	ab, ba := session([]string{"/a", "/b"}), session([]string{"/b", "/a"})
	first, again := runs(ab, ab, ba, ba), runs(ab, ab, ab, ab)
	if len(first.Compare().Flows) != 1 {
		t.Fatal("the first four starts show nothing")
	}
	if got := Confirm(first, again); len(got.Flows) != 0 || got.Noisy != 1 {
		t.Errorf("%+v", got)
	}
}

// The number of a message, which its size has, is ours, and so are the blanks that it
// loses when it is kept.
func TestSizeOfResults(t *testing.T) {
	answer := func(size int64, body string) []mcpsf.Event {
		return append(start(), mcpsf.Event{Kind: mcpsf.KindMCPResponse, Phase: mcpsf.PhaseDrive, Call: "c1", MCP: &mcpsf.MCPDetail{FromServer: true, Method: "tools/call", Body: []byte(body), Size: size}})
	}
	if got := runs(answer(99, `{"a":1}`), answer(99, `{"a": 1}`), answer(100, `{"a": 1}`), answer(100, `{"a":1}`)).Compare(); len(got.Flows) != 0 || got.Noisy != 0 || len(got.random) != 0 {
		t.Errorf("%+v", got)
	}
}
