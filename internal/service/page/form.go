package page

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// formView is the form to submit a server, as filled in.
type formView struct {
	Problem string
	// Note says what has to be entered again.
	Note string

	Source, Profile, Command, Args, Detectors string
	Variables                                 []variable
	// Force ignores cached results.
	Force bool

	sandboxForm
	scopeForm
}

// sandboxForm is the part of the form about the sandbox.
type sandboxForm struct {
	Network, Hosts, Image, Seed string
	Timeout, Memory, CPUs       string
}

// scopeForm is the part of the form about what may be done.
type scopeForm struct{ ScanOnly, NoInstall, NoRepository, MayAttack bool }

// Open shows the section "More options" if any of them is set.
func (v *formView) Open() bool {
	return v.Args+v.Detectors != "" || v.sandboxForm != (sandboxForm{}) || v.scopeForm != (scopeForm{})
}

type variable struct{ Name, Value string }

// rows is how many variables the form has without a script.
const rows = 2

// filled returns the form as it was sent.
func filled(f url.Values) *formView {
	v := &formView{
		Source: f.Get("source"), Profile: f.Get("profile"), Command: f.Get("command"), Args: f.Get("args"), Detectors: f.Get("detectors"),
		Force: f.Has("force"),
		sandboxForm: sandboxForm{
			Network: f.Get("network"), Hosts: f.Get("hosts"), Image: f.Get("image"), Seed: f.Get("seed"),
			Timeout: f.Get("timeout"), Memory: f.Get("memory"), CPUs: f.Get("cpus"),
		},
		scopeForm: scopeForm{
			ScanOnly: f.Has("scan_only"), NoInstall: f.Has("no_install"), NoRepository: f.Has("no_repository"), MayAttack: f.Has("may_attack"),
		},
	}
	values := f["env_value"]
	for i, name := range f["env_name"] {
		if i < len(values) && (name != "" || values[i] != "") {
			v.Variables = append(v.Variables, variable{name, values[i]})
		}
	}
	return v.pad()
}

// again returns the form of an earlier job. Values of variables and files are
// not available to it.
func again(j *job.Job) *formView {
	r, o := &j.Request, &j.Request.Options
	v := &formView{
		Source: r.Source, Profile: r.Profile, Command: quoteAll(r.Command), Args: quoteAll(r.Args), Detectors: strings.Join(r.Detectors, ", "),
		Force:       true,
		sandboxForm: sandboxForm{Network: o.Network, Image: o.Image, Timeout: o.Timeout, Memory: o.Memory},
		scopeForm:   scopeForm{ScanOnly: o.ScanOnly, NoInstall: o.NoInstall, NoRepository: o.NoRepository, MayAttack: o.MayAttack},
	}
	if hosts, ok := strings.CutPrefix(o.Network, "allow="); ok {
		v.Network, v.Hosts = "allow", hosts
	}
	if o.Seed != nil {
		v.Seed = strconv.FormatUint(*o.Seed, 10)
	}
	if o.CPUs > 0 {
		v.CPUs = strconv.Itoa(o.CPUs)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Env)) {
		v.Variables = append(v.Variables, variable{Name: name})
	}
	var missing []string
	if r.Archive != "" {
		missing = append(missing, "Select the file again: "+line(r.ArchiveName, maxName)+".")
	}
	if len(v.Variables) > 0 {
		missing = append(missing, "Values of environment variables are not kept; enter them again.")
	}
	v.Note = strings.Join(missing, " ")
	return v.pad()
}

// pad adds empty rows for variables.
func (v *formView) pad() *formView {
	for len(v.Variables) < rows {
		v.Variables = append(v.Variables, variable{})
	}
	return v
}

// request returns the request in the form. The API checks its values.
func (v *formView) request() (*job.Request, error) {
	r := &job.Request{
		Source: strings.TrimSpace(v.Source), Profile: v.Profile, Detectors: strings.FieldsFunc(v.Detectors, func(c rune) bool { return c == ',' || c == ' ' }),
		Options: job.Options{
			Network: v.Network, Image: strings.TrimSpace(v.Image), Timeout: strings.TrimSpace(v.Timeout), Memory: strings.TrimSpace(v.Memory),
			ScanOnly: v.ScanOnly, NoInstall: v.NoInstall, NoRepository: v.NoRepository, MayAttack: v.MayAttack,
		},
	}
	if hosts := strings.Join(strings.Fields(strings.ReplaceAll(v.Hosts, ",", " ")), ","); hosts != "" {
		if v.Network != "allow" {
			return nil, wrong("hosts to allow need the network “allow”")
		}
		r.Options.Network = "allow=" + hosts
	}
	for _, e := range v.Variables {
		if e.Name == "" && e.Value == "" {
			continue
		}
		if r.Env == nil {
			r.Env = map[string]string{}
		}
		if _, twice := r.Env[e.Name]; twice {
			return nil, wrong("duplicate environment variable %.80q", e.Name)
		}
		r.Env[e.Name] = e.Value
	}
	return r, errors.Join(v.words(r), v.sandboxForm.numbers(&r.Options))
}

func (v *formView) words(r *job.Request) (err error) {
	if r.Command, err = words(v.Command); err != nil {
		return wrong("command: %v", err)
	}
	if r.Args, err = words(v.Args); err != nil {
		return wrong("arguments: %v", err)
	}
	return nil
}

func (v *sandboxForm) numbers(o *job.Options) error {
	if text := strings.TrimSpace(v.Seed); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return wrong("the seed must be a number, not %.80q", text)
		}
		o.Seed = &n
	}
	if text := strings.TrimSpace(v.CPUs); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return wrong("CPUs must be a number, not %.80q", text)
		}
		o.CPUs = n
	}
	return nil
}

func wrong(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf(format, args...)}
}
