package main

import (
	"errors"
	"fmt"
	"slices"
)

// everyday is the class of honest examples that resemble nothing bad.
const everyday = "everyday"

// misdeeds are the classes of malicious examples, by what they do, not how they
// do it. An example that hides well is of the class evasion, whatever it steals.
func misdeeds() []string {
	return []string{
		"exfiltration", "credential-theft", "persistence", "remote-control", "second-stage", "piggyback", "evasion",
		"rug-pull", "trigger", "lying-annotations", "client-abuse", "overreach", "backdoor",
		// Examples whose texts make an agent do it.
		"agent-direct", "agent-indirect", "agent-chain", "agent-privilege", "agent-shadowing", "agent-preference",
		"agent-context", "agent-multiturn", "agent-encoded", "agent-error", "agent-resource", "agent-sampling", "agent-memory",
	}
}

// checkClass checks that the example can have its class. An honest one has the
// class that it could be mistaken for.
func (e *example) checkClass() error {
	switch {
	case e.Class == "":
		return errors.New("has no class")
	case e.Vulnerable:
		if len(e.Expect.Attacks) > 0 && e.Class != e.Expect.Attacks[0].Class {
			return fmt.Errorf("its class is %q, but that of the first attack is %q", e.Class, e.Expect.Attacks[0].Class)
		}
		return nil
	case e.Class == integrity, slices.Contains(misdeeds(), e.Class):
		return nil
	case !e.Malicious && (e.Class == everyday || slices.Contains(classes(), e.Class)):
		return nil
	}
	return fmt.Errorf("%q is no class of what it is", e.Class)
}
