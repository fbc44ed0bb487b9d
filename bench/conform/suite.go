package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// scenarioTime is how long one scenario may take.
const scenarioTime = 2 * time.Minute

// outcome is the suite's result for one scenario in one revision.
type outcome struct {
	scenario, revision string
	passed, of         string
	failed             bool
	why                []string
}

// suite runs every scenario for clients in every revision it applies to, and
// writes the page.
func suite(ctx context.Context, dir, page string, stderr io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	list, err := conformance(ctx, dir, "list")
	if err != nil && len(list) == 0 {
		return fmt.Errorf("listing the scenarios: %w", err)
	}
	var all []outcome
	for _, s := range scenarios(list) {
		o, err := try(ctx, dir, self, s)
		if err != nil {
			return err
		}
		fmt.Fprintln(stderr, o.scenario, o.revision, o.passed+"/"+o.of, strings.Join(o.why, "; "))
		all = append(all, o)
	}
	if len(all) == 0 {
		return errors.New("the suite lists no scenarios for clients")
	}
	if err := os.WriteFile(page, []byte(render(all)+others(page)), 0o600); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// others returns the part of the page that bench/everything wrote.
func others(page string) string {
	old, err := os.ReadFile(page)
	if err != nil {
		return "" // a new page
	}
	const heading = "\n## Servers with one of everything\n"
	if _, rest, ok := strings.Cut(string(old), heading); ok {
		return heading + rest
	}
	return ""
}

// conformance runs the suite's own command, with the interpreter that was
// installed beside it.
func conformance(ctx context.Context, dir string, args ...string) ([]byte, error) {
	bin, err := filepath.Abs(filepath.Join(dir, "node_modules", ".bin"))
	if err != nil {
		return nil, fmt.Errorf("finding the suite: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, scenarioTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "conformance"), args...)
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return cmd.CombinedOutput()
}

// scenarios reads the list: one line each, with the revisions it applies to.
func scenarios(list []byte) []outcome {
	_, clients, _ := bytes.Cut(list, []byte("Client scenarios"))
	clients, _, _ = bytes.Cut(clients, []byte("Authorization server scenarios"))
	line := regexp.MustCompile(`(?m)^\s*- (\S+) \[([^\]]*)\]`)
	var all []outcome
	for _, m := range line.FindAllStringSubmatch(string(clients), -1) {
		for revision := range strings.SplitSeq(m[2], ",") {
			all = append(all, outcome{scenario: m[1], revision: revision})
		}
	}
	return all
}

// try runs one scenario.
func try(ctx context.Context, dir, self string, o outcome) (outcome, error) {
	args := []string{"client", "--command", self, "--scenario", o.scenario}
	if o.revision != "extension" {
		args = append(args, "--spec-version", o.revision)
	}
	out, err := conformance(ctx, dir, args...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return o, fmt.Errorf("running the suite: %w", err)
	}
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	o.failed = err != nil
	if m := regexp.MustCompile(`Passed: (\d+)/(\d+)`).FindSubmatch(out); m != nil {
		o.passed, o.of = string(m[1]), string(m[2])
	}
	_, failed, _ := strings.Cut(string(out), "Failed Checks:")
	for _, m := range regexp.MustCompile(`(?m)^\s+- (.*)$`).FindAllStringSubmatch(failed, -1) {
		o.why = append(o.why, m[1])
	}
	return o, nil
}

// render writes the page.
func render(all []outcome) string {
	var b strings.Builder
	b.WriteString("# Conformance\n\nWhat the official conformance suite thinks of our driver as a client, written by `make conformance`.\n" +
		"Checks are counted as the suite counts them. A scenario of no checks is one whose subject we never touch.\n\n")
	passed, tested := 0, 0
	for _, o := range all {
		if o.failed || o.of != "0" {
			tested++
		}
		if !o.failed && o.of != "0" {
			passed++
		}
	}
	fmt.Fprintf(&b, "%d of %d runs pass; %d test nothing.\n\n| scenario | revision | result | checks | reason |\n| --- | --- | --- | --- | --- |\n", passed, tested, len(all)-tested)
	for _, o := range all {
		result := "pass"
		switch {
		case o.failed:
			result = "**fail**"
		case o.of == "0":
			result = "nothing tested"
		}
		why := reason(o)
		fmt.Fprintf(&b, "| %s | %s | %s | %s of %s | %s |\n", o.scenario, o.revision, result, o.passed, o.of, strings.ReplaceAll(why, "|", "\\|"))
	}
	return b.String()
}

// reason says why a scenario fails or tests nothing: in our words if known, else
// in the suite's.
func reason(o outcome) string {
	if !o.failed && o.of != "0" {
		return ""
	}
	known := []struct{ part, why string }{
		{"sep-2640", "the extension for skills is not offered: there is nothing to verify"},
		{"dpop", "proof of possession is an extension that is not offered"},
		{"client-credentials-jwt", "clients that sign their own assertions are an extension that is not offered"},
		{"enterprise-managed", "identity brokers are an extension that is not offered"},
		{"wif-jwt-bearer", "workload identity is an extension that is not offered"},
	}
	for _, k := range known {
		if strings.Contains(o.scenario, k.part) {
			return k.why
		}
	}
	return strings.Join(o.why, "; ")
}
