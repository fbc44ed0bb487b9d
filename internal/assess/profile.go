package assess

import (
	"fmt"
	"time"
)

// Profile is how hard the server is pressed. The zero value is Safe.
type Profile string

// The profiles.
const (
	// Safe only uses what the server offers.
	Safe Profile = "safe"
	// Balanced attacks it with what tells most.
	Balanced Profile = "balanced"
	// Aggressive attacks it with everything.
	Aggressive Profile = "aggressive"
)

// ParseProfile reads a name.
func ParseProfile(name string) (Profile, error) {
	switch p := Profile(name); p {
	case Safe, Balanced, Aggressive:
		return p, nil
	}
	return "", fmt.Errorf("--profile is safe, balanced or aggressive, not %q", name)
}

// patience is how long a server that has set itself an alarm is waited for, by
// its clock, and how long by ours.
func (p Profile) patience() (theirs, ours time.Duration) {
	switch p {
	case Balanced:
		return 25 * time.Hour, 10 * time.Second
	case Aggressive:
		return 32 * 24 * time.Hour, time.Minute
	}
	return 25 * time.Hour, 4 * time.Second
}

// realPatience is the same where time cannot be put forward.
func (p Profile) realPatience() time.Duration {
	switch p {
	case Balanced:
		return 30 * time.Second
	case Aggressive:
		return 2 * time.Minute
	}
	return 0
}

// rounds is how often each tool is called.
func (p Profile) rounds() int {
	switch p {
	case Balanced:
		return 5
	case Aggressive:
		return 10
	}
	return 1
}

// guises are where the server is made to believe that it runs, beside a
// developer's machine.
func (p Profile) guises() []guise {
	switch p {
	case Balanced:
		return guises()[:2]
	case Aggressive:
		return guises()
	}
	return nil
}

// attacks is how many are made, and how long they may take altogether.
func (p Profile) attacks() (int, time.Duration) {
	switch p {
	case Balanced:
		return 800, 75 * time.Second
	case Aggressive:
		return 20_000, 15 * time.Minute
	}
	return 0, 0
}

// proposals is how many more are made that a model proposes.
func (p Profile) proposals() int {
	switch p {
	case Balanced:
		return 200
	case Aggressive:
		return 1000
	}
	return 0
}

// fuzzing is how often the server is started for odd messages, how long that
// may take altogether, and how many of its tools are asked for in them.
func (p Profile) fuzzing() (starts int, long time.Duration, tools int) {
	switch p {
	case Balanced:
		return 10, 20 * time.Second, 1
	case Aggressive:
		return 60, 5 * time.Minute, 8
	}
	return 0, 0, 0
}

// visits is how many requests are made beside the protocol to a server that
// listens, and how long that may take altogether.
func (p Profile) visits() (int, time.Duration) {
	switch p {
	case Balanced:
		return 150, 20 * time.Second
	case Aggressive:
		return 1000, 2 * time.Minute
	}
	return 0, 0
}

// shrinking is how many calls are made to shorten others, and how long that
// may take altogether.
func (p Profile) shrinking() (int, time.Duration) {
	switch p {
	case Balanced:
		return 80, 10 * time.Second
	case Aggressive:
		return 400, time.Minute
	}
	return 0, 0
}

// horizon is after how long, by the server's clock, nobody looks any more.
func (p Profile) horizon(n Network, linger time.Duration) string {
	theirs, _ := p.patience()
	switch {
	case n.timeIsReal():
		return max(p.realPatience(), linger).String()
	case theirs < 48*time.Hour:
		return fmt.Sprintf("%.0f hours", theirs.Hours())
	}
	return fmt.Sprintf("%.0f days", theirs.Hours()/24)
}

// blind is what a run of this profile cannot see.
func (p Profile) blind(n Network, linger time.Duration) []string {
	if p.rounds() <= 1 {
		return []string{
			"attacks through arguments: each tool was called with ordinary inputs only",
			fmt.Sprintf("work that begins later than %s after the last answer", p.horizon(n, linger)),
			"behaviour that needs a real account, a later date or more than one session",
		}
	}
	return []string{
		"attacks that were not thought of, and those that need more than one call",
		fmt.Sprintf("work that begins later than %s after the last answer", p.horizon(n, linger)),
		"behaviour that needs a real account, one certain date or a longer acquaintance",
	}
}
