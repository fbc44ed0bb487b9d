package main

import (
	"errors"
	"fmt"
	"slices"
)

// everyday is the class of honest examples that resemble nothing bad.
const everyday = "everyday"

// misdeeds are the classes of malicious examples: what they do, not how it is
// carried. Whoever hides well is of the class evasion, whatever he takes.
func misdeeds() []string {
	return []string{
		"exfiltration", "credential-theft", "persistence", "remote-control", "second-stage", "piggyback", "evasion",
		"rug-pull", "trigger", "lying-annotations", "client-abuse", "overreach", "backdoor",
		// Those whose texts have an agent do it.
		"agent-direct", "agent-indirect", "agent-chain", "agent-privilege", "agent-shadowing", "agent-preference",
		"agent-context", "agent-multiturn", "agent-encoded", "agent-error", "agent-resource", "agent-sampling", "agent-memory",
	}
}

// checkClass wants a class that the example can have. An honest one has that
// of what it could be mistaken for.
func (e *example) checkClass() error {
	switch {
	case e.Class == "":
		return errors.New("has no class")
	case e.Vulnerable:
		if len(e.Expect.Attacks) > 0 && e.Class != e.Expect.Attacks[0].Class {
			return fmt.Errorf("its class is %q, but that of the first attack is %q", e.Class, e.Expect.Attacks[0].Class)
		}
		return nil
	case slices.Contains(misdeeds(), e.Class):
		return nil
	case !e.Malicious && (e.Class == everyday || slices.Contains(classes(), e.Class)):
		return nil
	}
	return fmt.Errorf("%q is no class of what it is", e.Class)
}
