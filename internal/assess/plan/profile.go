package plan

import (
	"fmt"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// Profile is how thoroughly the server is tested. The zero value is Safe.
type Profile string

// The profiles.
const (
	// Safe only uses what the server offers.
	Safe Profile = "safe"
	// Balanced attacks it with the most informative attacks.
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

// Patience is how long a server that has set a timer is waited for, by its clock
// and by ours.
func (p Profile) Patience() (theirs, ours time.Duration) {
	switch p {
	case Balanced:
		return 25 * time.Hour, 10 * time.Second
	case Aggressive:
		return 32 * 24 * time.Hour, time.Minute
	}
	return 25 * time.Hour, 4 * time.Second
}

// RealPatience is Patience where the clock cannot be advanced.
func (p Profile) RealPatience() time.Duration {
	switch p {
	case Balanced:
		return 30 * time.Second
	case Aggressive:
		return 2 * time.Minute
	}
	return 0
}

// Rounds is how often each tool is called.
func (p Profile) Rounds() int {
	switch p {
	case Balanced:
		return 5
	case Aggressive:
		return 10
	}
	return 1
}

// Environments are those that the server is started in besides the developer's machine.
func (p Profile) Environments() []Environment {
	switch p {
	case Balanced:
		return Environments()[:2]
	case Aggressive:
		return Environments()
	}
	return nil
}

// Attacks is how many attack calls are made, and how long they may take in total.
func (p Profile) Attacks() (int, time.Duration) {
	switch p {
	case Balanced:
		return 800, 75 * time.Second
	case Aggressive:
		return 20_000, 15 * time.Minute
	}
	return 0, 0
}

// Proposals is how many further calls are made that a model proposes.
func (p Profile) Proposals() int {
	switch p {
	case Balanced:
		return 200
	case Aggressive:
		return 1000
	}
	return 0
}

// Fuzzing is how often the server is started for malformed messages, how long
// that may take in total, and how many of its tools are called in them.
func (p Profile) Fuzzing() (starts int, long time.Duration, tools int) {
	switch p {
	case Balanced:
		return 10, 20 * time.Second, 1
	case Aggressive:
		return 60, 5 * time.Minute, 8
	}
	return 0, 0, 0
}

// HTTPProbes is how many requests besides MCP are sent to a server that listens,
// and how long that may take in total.
func (p Profile) HTTPProbes() (int, time.Duration) {
	switch p {
	case Balanced:
		return 150, 20 * time.Second
	case Aggressive:
		return 1000, 2 * time.Minute
	}
	return 0, 0
}

// Shrinking is how many calls are made to shrink others, and how long that may
// take in total.
func (p Profile) Shrinking() (int, time.Duration) {
	switch p {
	case Balanced:
		return 80, 10 * time.Second
	case Aggressive:
		return 400, time.Minute
	}
	return 0, 0
}

// horizon is how long after its last answer, by its own clock, a server is observed.
func (p Profile) horizon(realTime bool, linger time.Duration) string {
	theirs, _ := p.Patience()
	switch {
	case realTime:
		return max(p.RealPatience(), linger).String()
	case theirs < 48*time.Hour:
		return fmt.Sprintf("%.0f hours", theirs.Hours())
	}
	return fmt.Sprintf("%.0f days", theirs.Hours()/24)
}

// Gaps is what a run of this profile cannot observe. realTime says that the
// clock was not advanced.
func (p Profile) Gaps(realTime bool, linger time.Duration) []mcpsf.Gap {
	late := gap.Detailed(gap.LateWork, fmt.Sprintf("work that begins later than %s after the last answer", p.horizon(realTime, linger)))
	if p.Rounds() <= 1 {
		return []mcpsf.Gap{
			gap.Detailed(gap.AttackKinds, "attacks through arguments: each tool was called with ordinary inputs only"),
			late,
			gap.Detailed(gap.AccountOrDate, "behaviour that needs a real account, a later date or more than one session"),
		}
	}
	return []mcpsf.Gap{
		gap.Detailed(gap.AttackKinds, "attacks that are not among ours, and those that need more than one call"),
		late,
		gap.New(gap.AccountOrDate, 0, 0),
	}
}
