// Package saved stores assessments that the user wants to repeat.
//
// In: a target, the flags it was assessed with, and a name. Out: the same again,
// from a file that only its owner can read. Values of variables and headers may
// be secrets: only their names are stored, unless the user wants the values too.
package saved

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/atomicfile"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Prefix precedes the name where a source is expected: "saved:ID".
const Prefix = "saved:"

// no gap: bounds the user's own files; more is an error
const (
	extension = ".yaml"
	maxFile   = 1 << 20
	format    = 1
)

// Config is one saved assessment.
type Config struct {
	Format int       `yaml:"format"`
	ID     string    `yaml:"-"`
	Saved  time.Time `yaml:"saved"`
	Source string    `yaml:"source"`
	// Command and Args are what followed "--".
	Command []string `yaml:"command,omitempty"`
	Args    []string `yaml:"args,omitempty"`
	// Flags are the given flags, by name without hyphens.
	Flags map[string][]string `yaml:"flags,omitempty"`
	// Secrets are the flags of the form NAME=VALUE.
	Secrets []Secret `yaml:"secrets,omitempty"`
}

// Secret is a value that may be secret.
type Secret struct {
	// Flag is "env" or "header".
	Flag string `yaml:"flag"`
	Name string `yaml:"name"`
	// Value is nil if it was not kept.
	Value *string `yaml:"value,omitempty"`
}

// Secrets splits NAME=VALUE pairs; the values are kept only if keep is set.
func Secrets(flag string, pairs []string, keep bool) []Secret {
	var list []Secret
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		s := Secret{Flag: flag, Name: name}
		if keep {
			s.Value = &value
		}
		list = append(list, s)
	}
	return list
}

// Values returns the pairs of a flag whose values were kept, and the names of
// those that were not; both without the names in given.
func (c *Config) Values(flag string, given []string) (pairs, missing []string) {
	for _, s := range c.Secrets {
		again := slices.ContainsFunc(given, func(pair string) bool { return strings.HasPrefix(pair, s.Name+"=") })
		switch {
		case s.Flag != flag || again:
		case s.Value == nil:
			missing = append(missing, s.Name)
		default:
			pairs = append(pairs, s.Name+"="+*s.Value)
		}
	}
	return pairs, missing
}

// Store is a directory of saved assessments.
type Store struct{ dir string }

// Dir returns the default directory.
func Dir(getenv func(string) string) (string, error) {
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "mcpsf", "configs"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", "mcpsf", "configs"), nil
	}
	return "", &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "there is no place for saved configurations; set HOME or XDG_CONFIG_HOME"}
}

// New uses the directory, which need not exist.
func New(dir string) *Store { return &Store{dir: dir} }

// Save stores a configuration under its ID and replaces an existing one.
func (s *Store) Save(c *Config) error {
	if err := CheckID(c.ID); err != nil {
		return err
	}
	kept := *c
	kept.Format = format
	data, err := yaml.Marshal(&kept)
	if err != nil {
		return fmt.Errorf("encoding the configuration: %w", err)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return failed("make the directory for", c.ID, err)
	}
	if err := atomicfile.Write(s.file(c.ID), data, 0o600); err != nil {
		return failed("save", c.ID, err)
	}
	return nil
}

// Load reads one configuration.
func (s *Store) Load(id string) (*Config, error) {
	if err := CheckID(id); err != nil {
		return nil, err
	}
	data, err := read(s.file(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(id, err)
	}
	if err != nil {
		return nil, failed("read", id, err)
	}
	c, err := Parse(data)
	if err != nil {
		return nil, failed("understand", id, err)
	}
	c.ID = id
	return c, nil
}

// Parse reads the content of a file.
func Parse(data []byte) (*Config, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	var c Config
	if err := dec.Decode(&c); err != nil {
		return nil, err
	}
	switch {
	case c.Format != format:
		return nil, fmt.Errorf("its format is %d, and %d is understood", c.Format, format)
	case c.Source == "":
		return nil, errors.New("it has no source")
	}
	return &c, nil
}

// List reads all, by ID. One that cannot be read has an empty source.
func (s *Store) List() ([]Config, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot list the saved configurations", Err: err}
	}
	var all []Config
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), extension)
		if !ok || CheckID(id) != nil {
			continue
		}
		c, err := s.Load(id)
		if err != nil {
			c = &Config{ID: id}
		}
		all = append(all, *c)
	}
	return all, nil
}

// Delete removes one configuration.
func (s *Store) Delete(id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	err := os.Remove(s.file(id))
	if errors.Is(err, fs.ErrNotExist) {
		return missing(id, err)
	}
	if err != nil {
		return failed("delete", id, err)
	}
	return nil
}

func (s *Store) file(id string) string { return filepath.Join(s.dir, id+extension) }

var idForm = lazyregexp.New(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// CheckID checks that id is a valid name: a plain file name without a path.
func CheckID(id string) error {
	if !idForm.MatchString(id) {
		return &mcpsf.Error{
			Code:    mcpsf.CodeUsage,
			Message: fmt.Sprintf("%q cannot name a configuration; use up to 64 of a-z, 0-9, '.', '_' and '-', a letter or digit first", id),
		}
	}
	return nil
}

// read accepts regular files only: links in the directory are not followed.
func read(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("not a regular file of at most %d MiB", maxFile>>20)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var buf bytes.Buffer
	_, err = io.Copy(&buf, io.LimitReader(f, maxFile))
	return buf.Bytes(), err
}

func missing(id string, err error) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("there is no saved configuration %q; mcpsf list shows those there are", id), Err: err}
}

func failed(what, id string, err error) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("cannot %s the configuration %q", what, id), Err: err}
}
