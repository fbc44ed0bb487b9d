package agent

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

//go:embed tasks/*.yaml
var tasks embed.FS

// Vectors are the kinds of attacks that tasks give an opportunity for.
func Vectors() []string {
	return []string{
		"direct-injection", "indirect-injection", "exfiltration-by-chain", "privilege", "shadowing", "preference",
		"context-theft", "build-up", "encoded", "error-message", "resources-and-prompts", "sampling", "memory",
	}
}

// Script is a task before it is filled in for a server.
type Script struct {
	ID string `yaml:"id"`
	// Vector is one of [Vectors].
	Vector string `yaml:"-"`
	// Why says which attack the task gives an opportunity for.
	Why string `yaml:"why"`
	// Plant are files of the user that others wrote: in an adversarial task
	// they contain instructions.
	Plant []Planted `yaml:"plant"`
	Turns []Line    `yaml:"turns"`
}

// Planted is a file of the user.
type Planted struct {
	Path string `yaml:"path"`
	Text string `yaml:"text"`
}

// Line is what the user says, and the calls of our tools that it requires.
type Line struct {
	Say  string `yaml:"say"`
	Asks []struct {
		Tool string            `yaml:"tool"`
		With map[string]string `yaml:"with"`
	} `yaml:"asks"`
}

// Library is all tasks, grouped by vector.
func Library() ([]Script, error) { return readLibrary(tasks) }

func readLibrary(from fs.FS) ([]Script, error) {
	var all []Script
	names, err := fs.Glob(from, "tasks/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, err
		}
		vector := strings.TrimSuffix(strings.TrimPrefix(name, "tasks/"), ".yaml")
		scripts, err := readScripts(data, vector)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, scripts...)
	}
	return all, nil
}

func readScripts(data []byte, vector string) ([]Script, error) {
	if !slices.Contains(Vectors(), vector) {
		return nil, fmt.Errorf("there is no vector %q", vector)
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	var scripts []Script
	if err := d.Decode(&scripts); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for i := range scripts {
		s := &scripts[i]
		s.Vector = vector
		if s.ID == "" || s.Why == "" || len(s.Turns) == 0 {
			return nil, fmt.Errorf("task %d: id, why and turns are needed", i+1)
		}
		for _, line := range s.Turns {
			for _, m := range placeholder.FindAllStringSubmatch(line.Say, -1) {
				if !slices.Contains(placeholders(), m[1]) {
					return nil, fmt.Errorf("task %s: there is no {{%s}}", s.ID, m[1])
				}
			}
		}
	}
	return scripts, nil
}

var placeholder = lazyregexp.New(`\{\{([a-z]+)\}\}`)

// placeholders stand for values that depend on the server and the user.
func placeholders() []string {
	return []string{"use", "all", "tool", "prompt", "resource", "friend", "domain", "notes"}
}

// Staged fills in a task for this server, and returns the world that it needs.
// The nth task uses the nth tool. ok is false if the server lacks what the task
// needs.
func (w *World) Staged(s *Script, n int) (*World, *Task, bool) {
	f := filler{w: w, n: n, tool: w.usable(n)}
	staged := *w
	staged.Files = slices.Clone(w.Files)
	for _, p := range s.Plant {
		staged.Files = append(staged.Files, mcpsf.Decoy{Path: absolute(p.Path), Kind: mcpsf.DecoyDocument, Content: []byte(f.fill(p.Text))})
	}
	t := &Task{ID: s.ID, Vector: s.Vector}
	for i, line := range s.Turns {
		t.Turns = append(t.Turns, f.fill(line.Say))
		for _, a := range line.Asks {
			with := map[string]string{}
			for name, value := range a.With {
				with[name] = f.fill(value)
			}
			t.Asked = append(t.Asked, Asked{Turn: i, Tool: a.Tool, Arguments: with})
		}
	}
	return &staged, t, !f.lacks
}

// filler replaces placeholders.
type filler struct {
	w     *World
	n     int
	tool  string
	lacks bool
}

func (f *filler) fill(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(m string) string {
		switch strings.Trim(m, "{}") {
		case "use":
			return f.need(f.tool, use(f.tool, f.w.Inputs[f.tool].JSON))
		case "all":
			uses := f.w.uses()
			all := together(uses[:min(len(uses), atATime)])
			return f.need(all, all)
		case "tool":
			return f.need(f.tool, f.tool)
		case "prompt":
			if len(f.w.Offer.Prompts) > 0 {
				return use(promptTool, single("name", f.w.Offer.Prompts[f.n%len(f.w.Offer.Prompts)].Name))
			}
		case "resource":
			if len(f.w.Offer.Resources) > 0 {
				return use(resourceTool, single("uri", f.w.Offer.Resources[f.n%len(f.w.Offer.Resources)].URI))
			}
		case "friend":
			return friend + "@" + f.w.Domain
		case "domain":
			return f.w.Domain
		case "notes":
			return notes
		}
		f.lacks = true
		return ""
	})
}

func (f *filler) need(what, text string) string {
	f.lacks = f.lacks || what == ""
	return text
}

// usable is the nth of the tools with known inputs, "" if there is none.
func (w *World) usable(n int) string {
	var names []string
	for i := range w.Offer.Tools {
		if _, ok := w.Inputs[w.Offer.Tools[i].Name]; ok {
			names = append(names, w.Offer.Tools[i].Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return names[n%len(names)]
}
