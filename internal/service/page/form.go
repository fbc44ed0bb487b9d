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

// formView is the form, with what its user has filled in already.
type formView struct {
	Problem string
	// Note says what has to be given anew.
	Note string

	Source, Profile, Command, Args, Detectors string
	Network, Hosts, Image, Seed               string
	Timeout, Memory, CPUs                     string
	ScanOnly, NoInstall, NoRepository         bool
	MayAttack, Force                          bool
	Variables                                 []variable
	// Open shows the rarer options from the start.
	Open bool
}

type variable struct{ Name, Value string }

// rows is how many variables there is room for without a script.
const rows = 2

// filled is the form as it was sent.
func filled(f url.Values) *formView {
	v := &formView{
		Source: f.Get("source"), Profile: f.Get("profile"), Command: f.Get("command"), Args: f.Get("args"), Detectors: f.Get("detectors"),
		Network: f.Get("network"), Hosts: f.Get("hosts"), Image: f.Get("image"), Seed: f.Get("seed"),
		Timeout: f.Get("timeout"), Memory: f.Get("memory"), CPUs: f.Get("cpus"),
		ScanOnly: f.Has("scan_only"), NoInstall: f.Has("no_install"), NoRepository: f.Has("no_repository"),
		MayAttack: f.Has("may_attack"), Force: f.Has("force"),
	}
	values := f["env_value"]
	for i, name := range f["env_name"] {
		if i < len(values) && (name != "" || values[i] != "") {
			v.Variables = append(v.Variables, variable{name, values[i]})
		}
	}
	return v.finish()
}

// again is the form for what was asked for before. Values of variables and
// files are not kept where this could read them.
func again(j *job.Job) *formView {
	r, o := &j.Request, &j.Request.Options
	v := &formView{
		Source: r.Source, Profile: r.Profile, Command: quoteAll(r.Command), Args: quoteAll(r.Args), Detectors: strings.Join(r.Detectors, ", "),
		Network: o.Network, Image: o.Image, Timeout: o.Timeout, Memory: o.Memory,
		ScanOnly: o.ScanOnly, NoInstall: o.NoInstall, NoRepository: o.NoRepository, MayAttack: o.MayAttack, Force: true,
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
		missing = append(missing, "Choose the file again: "+line(r.ArchiveName, maxName)+".")
	}
	if len(v.Variables) > 0 {
		missing = append(missing, "Values of variables are not kept; give them again.")
	}
	v.Note = strings.Join(missing, " ")
	return v.finish()
}

func (v *formView) finish() *formView {
	v.Open = v.Args+v.Detectors+v.Network+v.Hosts+v.Image+v.Seed+v.Timeout+v.Memory+v.CPUs != "" ||
		v.ScanOnly || v.NoInstall || v.NoRepository || v.MayAttack
	for len(v.Variables) < rows {
		v.Variables = append(v.Variables, variable{})
	}
	return v
}

// request is what the form asks for. What is wrong with it beyond its shape the
// API says.
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
			return nil, wrong("hosts are for the network “allow”; choose it, or leave them out")
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
			return nil, wrong("a variable is there twice: %.80q", e.Name)
		}
		r.Env[e.Name] = e.Value
	}
	return r, errors.Join(v.words(r), v.numbers(&r.Options))
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

func (v *formView) numbers(o *job.Options) error {
	if text := strings.TrimSpace(v.Seed); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return wrong("the seed is a number, not %.80q", text)
		}
		o.Seed = &n
	}
	if text := strings.TrimSpace(v.CPUs); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return wrong("processors are a number, not %.80q", text)
		}
		o.CPUs = n
	}
	return nil
}

func wrong(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf(format, args...)}
}
