package clientconfig

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// container reads "docker run [OPTIONS] IMAGE [ARG...]".
func (s *starter) container(words []string) (plan, string) {
	rest := flags(words, []string{"-H", "--host", "-c", "--context", "--config", "-l", "--log-level"}, func(string, string) {})
	if len(rest) > 0 && rest[0] == "container" {
		rest = rest[1:]
	}
	if len(rest) == 0 || rest[0] != "run" {
		return plan{}, "it is started with a container engine, but not with run IMAGE; assess its image: mcpsf assess oci:IMAGE"
	}
	r := containerRun{given: s.env}
	rest = r.options(rest[1:])
	if len(rest) == 0 || !imageForm.MatchString(rest[0]) {
		return plan{}, "its command names no image; assess it by name: mcpsf assess oci:IMAGE"
	}
	// The container gets only the client's variables that are passed to it.
	s.env = r.env
	p := plan{source: "oci:" + rest[0], args: rest[1:]}
	if r.entrypoint != "" {
		p.command = []string{r.entrypoint}
	}
	return p, ""
}

var imageForm = lazyregexp.New(`^[A-Za-z0-9][\w.:/@+-]{0,500}$`)

type containerRun struct {
	given, env []envVar
	entrypoint string
}

// options skips the options of run and returns image and arguments. A group of
// short options, as in -it, may end in one that takes a value.
func (r *containerRun) options(words []string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		word := words[0]
		words = words[1:]
		if word == "--" {
			return words
		}
		name, value, has := strings.Cut(word, "=")
		if !strings.HasPrefix(word, "--") {
			name, value, has = shortOption(word)
		}
		switch {
		case has:
		case slices.Contains(containerSwitches(), name):
			continue
		case len(words) > 0:
			value = words[0]
			words = words[1:]
		}
		r.option(name, value)
	}
	return words
}

// shortOption finds the first letter of a group that takes a value, and the
// part of the value directly behind it.
func shortOption(word string) (name, value string, has bool) {
	for i := 1; i < len(word); i++ {
		name = "-" + word[i:i+1]
		if slices.Contains(containerSwitches(), name) {
			continue
		}
		value = word[i+1:]
		return name, strings.TrimPrefix(value, "="), value != ""
	}
	return name, "", false
}

func containerSwitches() []string {
	return []string{
		"-d", "--detach", "-i", "--interactive", "-t", "--tty", "--rm", "--init", "--privileged", "--read-only", "--no-healthcheck",
		"--oom-kill-disable", "-P", "--publish-all", "--sig-proxy", "--disable-content-trust", "-q", "--quiet", "--help", "--replace",
	}
}

func (r *containerRun) option(name, value string) {
	switch name {
	case "--entrypoint":
		r.entrypoint = value
	case "-e", "--env":
		variable, text, ok := strings.Cut(value, "=")
		if !ok {
			text = "${env:" + variable + "}" // the client's own environment
			if at := slices.IndexFunc(r.given, func(v envVar) bool { return v.name == variable }); at >= 0 {
				text = r.given[at].value
			}
		}
		if len(r.env) <= document.MaxWords {
			r.env = append(r.env, envVar{name: variable, value: text})
		}
	}
}
