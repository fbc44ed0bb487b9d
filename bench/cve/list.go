package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// advisory is one published vulnerability.
type advisory struct {
	// ID is the id of the advisory, What one sentence about it, Class the kind.
	ID    string `yaml:"id"`
	What  string `yaml:"what"`
	Class string `yaml:"class"`
	// Vulnerable and Fixed are sources for mcpsf; Fixed is "" if none can be
	// installed.
	Vulnerable string `yaml:"vulnerable"`
	Fixed      string `yaml:"fixed"`
	// Args are the user's arguments for the server, of either version: what
	// follows "--" on the command line.
	Args []string `yaml:"args"`
	// Env are the variables that it needs to start.
	Env []string `yaml:"env"`
	// Sign matches the findings that show the vulnerability.
	Sign sign `yaml:"sign"`
	// Unseen says why it is not found, if known. Still says what of the same
	// kind the fixed version still has.
	Unseen string `yaml:"unseen"`
	Still  string `yaml:"still"`
}

// sign matches findings. Empty fields match everything.
type sign struct {
	Rules []string `yaml:"rules"`
	Tools []string `yaml:"tools"`
	// Place is the argument, and Why a part of the technique.
	Place string `yaml:"place"`
	Why   string `yaml:"why"`
}

func (s sign) matches(f *finding) *success {
	if !slices.Contains(s.Rules, f.Rule) || len(s.Tools) > 0 && !slices.Contains(s.Tools, f.Tool) {
		return nil
	}
	for i := range f.Shown {
		if strings.HasPrefix(f.Shown[i].Place, s.Place) && strings.Contains(f.Shown[i].Why, s.Why) {
			return &f.Shown[i]
		}
	}
	return nil
}

// shown returns the finding of a result that shows the advisory, and the call;
// nil if none does.
func (a *advisory) shown(r *result) (*finding, *success) {
	if r == nil {
		return nil, nil
	}
	for i := range r.Findings {
		if s := a.Sign.matches(&r.Findings[i]); s != nil {
			return &r.Findings[i], s
		}
	}
	return nil, nil
}

func readList(name string) ([]advisory, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parseList(raw)
}

func parseList(raw []byte) ([]advisory, error) {
	var list []advisory
	d := yaml.NewDecoder(strings.NewReader(string(raw)))
	d.KnownFields(true)
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("reading the advisories: %w", err)
	}
	seen := map[string]bool{}
	for i := range list {
		a := &list[i]
		a.Vulnerable, a.Fixed = a.given(a.Vulnerable), a.given(a.Fixed)
		switch {
		case a.ID == "" || a.What == "" || a.Class == "" || a.Vulnerable == "":
			return nil, fmt.Errorf("advisory %q lacks its id, what, class or vulnerable", a.ID)
		case seen[a.ID]:
			return nil, fmt.Errorf("advisory %q is there twice", a.ID)
		case len(a.Sign.Rules) == 0 && a.Unseen == "":
			return nil, fmt.Errorf("advisory %q says neither what shows it nor why nothing does", a.ID)
		}
		seen[a.ID] = true
	}
	return list, nil
}

// dashes separates a source from its arguments; variable precedes a variable.
// Together they form one text, by which results are stored.
const dashes, variable = " -- ", " --env "

// given returns a source with its arguments and variables.
func (a *advisory) given(source string) string {
	if source == "" {
		return ""
	}
	for _, v := range a.Env {
		source += variable + v
	}
	if len(a.Args) > 0 {
		source += dashes + strings.Join(a.Args, " ")
	}
	return source
}
