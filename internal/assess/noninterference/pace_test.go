package noninterference

import (
	"math/rand/v2"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// paced returns a start whose requests follow each other after the given pauses,
// each longer by up to noise.
func paced(rng *rand.Rand, noise float64, pauses ...float64) []mcpsf.Event {
	events := start(get("/"))
	t := 1.0
	events[1].T = t
	for _, p := range pauses {
		t += p + noise*rng.Float64()
		next := events[1]
		next.T = t
		events = append(events, next)
	}
	return events
}

func TestPace(t *testing.T) {
	const short, long = 0.020, 0.060
	ones := []float64{long, short, long, long, short, long, short, short, long, short, long, long}
	others := []float64{short, long, long, short, long, short, short, long, long, long, short, short}
	for _, test := range []struct {
		name          string
		usual, other  []float64
		noise         float64
		differs, flow bool
	}{
		{"the same pauses", ones, ones, 0.003, false, false},
		{"pauses that spell the secret", ones, others, 0.003, true, true},
		{"on a slow machine", ones, others, 0.008, true, true},
		{"drowned in noise", ones, others, 0.4, false, false},
		{"too few", ones[:3], others[:3], 0.003, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(50) {
				rng := rand.New(rand.NewPCG(seed, 1))
				r := runs(paced(rng, test.noise, test.usual...), paced(rng, test.noise, test.usual...), paced(rng, test.noise, test.other...), paced(rng, test.noise, test.other...))
				r.Before = Read(paced(rng, test.noise, test.usual...))
				if test.noise < 0.1 && r.Same() == test.differs {
					t.Errorf("seed %d: same %v", seed, r.Same())
				}
				got := r.Compare()
				if found := len(got.Flows) == 1 && got.Flows[0].Detail.Part == pacePart && got.Flows[0].Detail.Host == "api.weather.example"; found != test.flow {
					t.Errorf("seed %d: %+v", seed, got)
				}
				if !test.flow && (len(got.Flows) > 0 || got.Noisy > 0) {
					t.Errorf("seed %d: %+v", seed, got)
				}
			}
		})
	}
}
