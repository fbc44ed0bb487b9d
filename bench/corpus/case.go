package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
)

// caseFile is beside the server and hidden from it.
const caseFile = "case.yaml"

// tracesDir is where the runs of the examples are kept.
const tracesDir = "traces"

// staticDir has samples of source that are read, not run.
const staticDir = "static"

// example is one folder of the corpus.
type example struct {
	Name string `yaml:"-"`
	Dir  string `yaml:"-"`
	// Server is the name of its only source file.
	Server string `yaml:"-"`

	Title     string `yaml:"title"`
	Malicious bool   `yaml:"malicious"`
	// Class is what it does wrong or, if it is honest, what it could be mistaken for.
	Class string `yaml:"class"`
	// Powerful examples are honest and may do much: run commands, delete what
	// they are told to, use credentials. That must raise no alarm.
	Powerful bool `yaml:"powerful"`
	// Vulnerable examples are honest, but can be made to do harm.
	Vulnerable bool `yaml:"vulnerable"`
	// Twin is the honest server that does the same for a good reason; several
	// examples may share one. The twin of a vulnerable server is the same server
	// without the weakness.
	Twin string `yaml:"twin"`
	// Package is the name of the folder during the assessment: names explain
	// accesses, and those of the corpus reveal too much.
	Package string   `yaml:"package"`
	Args    []string `yaml:"args"`
	Env     []string `yaml:"env"`
	// Profile overrides the default profile: see profile.
	Profile string `yaml:"profile"`
	// Agent says that an agent uses it.
	Agent  bool     `yaml:"agent"`
	Try    trial    `yaml:"try"`
	Expect expected `yaml:"expect"`

	// refutes are the attacks that succeed on the twin.
	refutes []attack
}

// expected is the expected result. Severity is the minimum for a malicious or
// vulnerable example, and the maximum for an honest one.
type expected struct {
	Severity mcpsf.Severity `yaml:"severity"`
	// Rules are words, one of which must be in the rule id of a finding of that
	// severity: a finding about something else does not count.
	Rules   []string `yaml:"rules"`
	Leaks   []leak   `yaml:"leaks"`
	Events  []sign   `yaml:"events"`
	Attacks []attack `yaml:"attacks"`
}

// leak is a canary.leak that must occur. Empty fields match anything.
type leak struct {
	Kind    string `yaml:"kind"`
	Channel string `yaml:"channel"`
	// To is the beginning of the destination.
	To   string `yaml:"to"`
	Part string `yaml:"part"`
	// Chain are encodings that must occur in this order, possibly with others
	// between them; a key in parentheses is left out.
	Chain []string    `yaml:"chain"`
	Tool  string      `yaml:"tool"`
	Phase mcpsf.Phase `yaml:"phase"`
}

// sign is an event that must occur: of that kind, with these texts in its line
// of the trace.
type sign struct {
	Kind  mcpsf.Kind  `yaml:"kind"`
	Has   []string    `yaml:"has"`
	Tool  string      `yaml:"tool"`
	Phase mcpsf.Phase `yaml:"phase"`
}

// load reads all examples of a corpus, sorted by name.
func load(root string) ([]*example, error) {
	folders, err := os.ReadDir(root)
	if err != nil {
		return nil, fmt.Errorf("reading the corpus: %w", err)
	}
	var list []*example
	var problems []error
	for _, f := range folders {
		if !f.IsDir() || f.Name() == tracesDir || f.Name() == staticDir {
			continue
		}
		e, err := read(filepath.Join(root, f.Name()))
		if err == nil {
			err = e.check()
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", f.Name(), err))
			continue
		}
		list = append(list, e)
	}
	return list, errors.Join(append(problems, twins(list), marry(list))...)
}

func read(dir string) (*example, error) {
	raw, err := os.ReadFile(filepath.Join(dir, caseFile))
	if err != nil {
		return nil, err
	}
	e := &example{Name: filepath.Base(dir), Dir: dir}
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	if err := d.Decode(e); err != nil {
		return nil, fmt.Errorf("reading %s: %w", caseFile, err)
	}
	if e.buys() && e.Expect.Severity == "" {
		e.Expect.Severity = mcpsf.SeverityMedium // what counts as caught, of all of them
	}
	e.Server, err = serverOf(dir)
	return e, err
}

// serverOf returns the source file of an example: server.py or server.mjs, in a
// package server.js, index.js or its only module of Python.
func serverOf(dir string) (string, error) {
	var found []string
	for _, pattern := range []string{"server.py", "server.mjs", "server.js", "index.js", "*_mcp.py"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return "", err
		}
		found = append(found, names...)
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return filepath.Base(found[0]), nil
	}
	return "", errors.New("has two servers")
}

// check checks an example by itself for errors.
func (e *example) check() error {
	x := &e.Expect
	switch {
	case e.Server == "":
		return errors.New("has neither server.py nor server.mjs, server.js, index.js or a module *_mcp.py")
	case e.Title == "" || e.Package == "":
		return errors.New("needs a title and a package")
	case e.Malicious == hasPrefix(e.Name, "ok-", vulnPrefix, fixedPrefix):
		return errors.New("malicious examples, and no others, have a name without ok-, vuln- or fixed- in front")
	case rank(x.Severity) < 0:
		return fmt.Errorf("%q is no severity", x.Severity)
	case e.Malicious && rank(x.Severity) < rank(mcpsf.SeverityMedium):
		return errors.New("what is malicious is expected to be at least medium")
	case !e.Malicious && !e.Vulnerable && rank(x.Severity) > rank(mcpsf.SeverityLow):
		return errors.New("what is honest is expected to be at most low")
	case e.Malicious && !e.buys() && len(x.Leaks)+len(x.Events) == 0:
		return errors.New("nothing is expected to prove it")
	case e.Malicious && !e.buys() && len(x.Rules) == 0:
		return errors.New("no rule is expected to judge it")
	case e.Malicious && e.Twin == "":
		return errors.New("has no twin")
	case e.Powerful && (e.Malicious || e.Vulnerable):
		return errors.New("only what is honest is called powerful")
	}
	for _, kv := range e.Env {
		if name, _, ok := strings.Cut(kv, "="); !ok || name == "" {
			return fmt.Errorf("env takes K=V, not %q", kv)
		}
	}
	return errors.Join(e.checkClass(), e.checkPair(), x.check())
}

func hasPrefix(name string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

func (x *expected) check() error {
	channels := []string{
		"", mcpsf.ChannelDNS, mcpsf.ChannelHTTP, mcpsf.ChannelSMTP, mcpsf.ChannelStream, mcpsf.ChannelPacket,
		mcpsf.ChannelMCP, mcpsf.ChannelStderr, mcpsf.ChannelFile, mcpsf.ChannelArgs,
	}
	for _, l := range x.Leaks {
		if l.Kind == "" || !slices.Contains(channels, l.Channel) {
			return fmt.Errorf("a leak has a kind and a known channel, not %q and %q", l.Kind, l.Channel)
		}
	}
	for _, s := range x.Events {
		if s.Kind == "" || len(s.Has) == 0 {
			return errors.New("an event has a kind and a text that it has")
		}
	}
	for _, a := range x.Attacks {
		if err := a.check(); err != nil {
			return err
		}
	}
	return nil
}

// twins checks that all twins exist and are honest.
func twins(list []*example) error {
	var problems []error
	for _, e := range list {
		i := slices.IndexFunc(list, func(other *example) bool { return other.Name == e.Twin })
		if e.Twin != "" && (i < 0 || list[i].Malicious || list[i].Vulnerable) {
			problems = append(problems, fmt.Errorf("%s: its twin %q is not there or not honest", e.Name, e.Twin))
		}
	}
	return errors.Join(problems...)
}

// rank orders severities; an invalid one comes first.
func rank(s mcpsf.Severity) int { return slices.Index(severities(), s) }

// above returns the next severity, and the last one for itself.
func above(s mcpsf.Severity) mcpsf.Severity {
	return severities()[min(rank(s)+1, len(severities())-1)]
}

func severities() []mcpsf.Severity {
	return []mcpsf.Severity{
		mcpsf.SeverityInfo, mcpsf.SeverityLow, mcpsf.SeverityMedium, mcpsf.SeverityHigh, mcpsf.SeverityCritical,
	}
}
