package noninterference

import (
	"fmt"
	"math/rand/v2"
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
