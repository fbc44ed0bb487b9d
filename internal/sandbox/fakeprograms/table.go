package fakeprograms

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"text/template"

	"go.yaml.in/yaml/v3"
)

//go:embed programs/*.yaml
var files embed.FS

// program is one file of the folder programs: a program, or several names of the
// same one.
type program struct {
	Names   []string `yaml:"names"`
	Options options  `yaml:"options"`
	// Shell is code that runs between reading the arguments and answering, for
	// the few programs that a table cannot describe.
	Shell   string   `yaml:"shell"`
	Formats []format `yaml:"formats"`
	Kinds   []kind   `yaml:"kinds"`
	// Answers are tried in order.
	Answers []answer `yaml:"answers"`
	// Unknown answers everything else.
	Unknown answer `yaml:"unknown"`
}

// options say how the arguments are read. Options are separated by spaces; those
// that are not mentioned have no value and change nothing.
type options struct {
	// Value are options whose value is the next argument, or behind "=".
	Value string `yaml:"value"`
	// Keep are those whose value is needed, Flags those without a value, by the
	// name of the variable that holds it. A flag that is given is "1".
	Keep  map[string]string `yaml:"keep"`
	Flags map[string]string `yaml:"flags"`
	// Open are options whose value is a file that the program opens.
	Open string `yaml:"open"`
	// Missing is printed if that file does not exist. Code is the exit code.
	Missing string `yaml:"missing"`
	Code    int    `yaml:"code"`
	// Bare are options that have no value with some commands: "logs -f" is not
	// the -f of other commands of docker.
	Bare []string `yaml:"bare"`
	// Eager programs have a value behind every long option, but for those in
	// Plain.
	Eager bool   `yaml:"eager"`
	Plain string `yaml:"plain"`
	// Detached programs do not take "-ofile" for "-o file".
	Detached bool `yaml:"detached"`
	// Slash divides "pod/web" into two words.
	Slash bool `yaml:"slash"`
}

// format is a way to show kinds: how their list and one of them are rendered
// when the options say so.
type format struct {
	When map[string]string `yaml:"when"`
	List string            `yaml:"list"`
	Item string            `yaml:"item"`
}

// kind is a list of things that a program knows: pods, containers, issues.
type kind struct {
	// Words name it on the command line, the plural first, then the singular.
	Words  []string `yaml:"words"`
	Header []string `yaml:"header"`
	Items  []item   `yaml:"items"`
}

type item struct {
	Name string `yaml:"name"`
	// Also are other names of it: a number, a short id.
	Also   []string       `yaml:"also"`
	Row    []string       `yaml:"row"`
	Object map[string]any `yaml:"object"`
	// Fields are the flat form of the object in lists, if that differs.
	Fields map[string]any `yaml:"fields"`
	// Text is the long description for people.
	Text string `yaml:"text"`
}

// answer is what a command prints. {w1} to {w9}, {last} and {variable} stand for
// arguments.
type answer struct {
	// Words are the arguments that are no options: each "*" or alternatives with
	// "|" in between, in which "*" stands for anything. A last "..." allows more.
	// $kind and $item make an answer for each kind and for each item of it; texts
	// then have $plural, $singular, $Kind (as its objects say), $item and $text.
	Words []string `yaml:"words"`
	// When are patterns for variables: of options, or "last" and "count".
	When map[string]string `yaml:"when"`
	// Named is a variable that must look like a name, because it gets into JSON.
	Named string `yaml:"named"`
	// Of is the only kind that $item, List and Item are about; without it the
	// answer is made for all.
	Of string `yaml:"of"`
	// Show says that the kind is shown in the format that the options choose:
	// "list" or "item".
	Show string `yaml:"show"`
	// Out and JSON are printed to standard output, Err to standard error.
	Out  string `yaml:"out"`
	JSON any    `yaml:"json"`
	Err  string `yaml:"err"`
	Code int    `yaml:"code"`
	// Read is a variable with a file that must exist; Missing is printed if not.
	Read    string `yaml:"read"`
	Missing string `yaml:"missing"`
	// Write is a variable with a file that is written, of the format As or else
	// of the format that its ending says.
	Write string `yaml:"write"`
	As    string `yaml:"as"`

	// shell replaces Out where arguments decide what is printed.
	shell string
}

// load reads all programs, with the values of one home filled in.
func load(v *values) ([]program, error) {
	entries, err := files.ReadDir("programs")
	if err != nil {
		return nil, err
	}
	var all []program
	for _, e := range entries {
		p, err := read(e.Name(), v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		all = append(all, *p)
	}
	return all, nil
}

func read(name string, v *values) (*program, error) {
	raw, err := files.ReadFile(path.Join("programs", name))
	if err != nil {
		return nil, err
	}
	t, err := template.New(name).Delims("<%", "%>").Funcs(v.functions()).Parse(string(raw))
	if err != nil {
		return nil, err
	}
	var filled bytes.Buffer
	if err := t.Execute(&filled, v); err != nil {
		return nil, err
	}
	p := &program{}
	d := yaml.NewDecoder(&filled)
	d.KnownFields(true)
	if err := d.Decode(p); err != nil {
		return nil, err
	}
	if len(p.Names) == 0 || p.Unknown.Err+p.Unknown.Out == "" {
		return nil, fmt.Errorf("no name, or nothing to say to an unknown command")
	}
	return p, nil
}
