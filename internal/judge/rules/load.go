package rules

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

//go:embed builtin/*.yaml
var builtin embed.FS

// Bounds for a folder of rules.
// no gap: bounds rules that the user wrote; more is an error
const (
	maxFiles    = 1000
	maxFileSize = 256 << 10
)

// BrokenError holds the errors in rule files, each with its file and line.
type BrokenError struct{ Problems []error }

func (e *BrokenError) Error() string { return errors.Join(e.Problems...).Error() }

// Builtin returns the rules that are built in. Their tests, which are most of
// the text, are read only by [Set.Test].
func Builtin() (*Set, error) {
	sub, err := fs.Sub(builtin, "builtin")
	if err != nil {
		return nil, fmt.Errorf("opening the built-in rules: %w", err)
	}
	set, err := load(sub, rulefile.ParseHead)
	if err != nil {
		return nil, err
	}
	for _, r := range set.rules {
		r.Builtin = true
	}
	return set, nil
}

// Load compiles the *.yaml and *.yml files at the top of fsys, one rule each. It
// reports every problem of every file at once, each with file and line.
func Load(fsys fs.FS) (*Set, error) { return load(fsys, rulefile.Parse) }

func load(fsys fs.FS, parse func(file string, data []byte) (*rulefile.Compiled, []error)) (*Set, error) {
	names, err := ruleFiles(fsys)
	if err != nil {
		return nil, err
	}
	set := &Set{}
	var problems []error
	seen := map[string]bool{}
	for _, name := range names {
		data, err := readRule(fsys, name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		r, errs := parse(name, data)
		if stem := strings.TrimSuffix(name, path.Ext(name)); seen[stem] {
			errs = append(errs, fmt.Errorf("%s:1: there is another rule %q", name, stem))
		} else {
			seen[stem] = true
		}
		problems = append(problems, errs...)
		if len(errs) == 0 {
			r.Sum = sha256.Sum256(data)
			set.rules = append(set.rules, r)
		}
	}
	for _, r := range set.rules {
		problems = append(problems, set.checkCovers(r, false)...)
	}
	if len(problems) > 0 {
		return nil, &mcpsf.Error{
			Code:    mcpsf.CodeUsage,
			Message: fmt.Sprintf("%d problem(s) in the rule files, fix them and try again", len(problems)),
			Err:     &BrokenError{problems},
		}
	}
	set.sort()
	return set, nil
}

func ruleFiles(fsys fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot read the rules folder", Err: err}
	}
	var names []string
	for _, e := range entries {
		if ext := path.Ext(e.Name()); ext == ".yaml" || ext == ".yml" {
			names = append(names, e.Name())
		}
	}
	switch {
	case len(names) == 0:
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "the rules folder has no .yaml file in it"}
	case len(names) > maxFiles:
		return nil, &mcpsf.Error{
			Code:    mcpsf.CodeUsage,
			Message: fmt.Sprintf("the rules folder has %d files, at most %d are read", len(names), maxFiles),
		}
	}
	return names, nil
}

// readRule rejects anything but a regular file before opening it: opening a pipe
// would wait for ever.
func readRule(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", name)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer f.Close()
	var data bytes.Buffer
	n, err := io.Copy(&data, io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if n > maxFileSize {
		return nil, fmt.Errorf("%s: larger than %d KiB", name, maxFileSize>>10)
	}
	return data.Bytes(), nil
}
