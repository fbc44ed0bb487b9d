package shape

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed services.yaml
var servicesText []byte

// service is a public service of services.yaml.
type service struct {
	name    string
	hosts   []string
	clients []string
	answers []serviceEntry
}

// serviceEntry is what one request of a service is answered with.
type serviceEntry struct {
	methods []string // nil: any
	status  int
	pattern string
	path    []string
	node    *node
	// kind and body are those of an answer that is no JSON.
	kind, body string
	// headers are those by which clients know the service.
	headers map[string]string
}

// Known is the answer of a known service, without a value: Complete makes it. Body
// and Kind are set for an answer that is no JSON.
type Known struct {
	Status     int
	Kind, Body string
	// Headers are those by which clients know the service.
	Headers map[string]string
}

// Service returns the known answer to a request, nil if there is none.
func Service(r *Request) *Known {
	a := serviceAnswer(r)
	if a == nil {
		return nil
	}
	return &Known{Status: a.status, Kind: a.kind, Body: strings.ReplaceAll(a.body, "{host}", r.Host), Headers: a.headers}
}

func serviceAnswer(r *Request) *serviceEntry {
	segments := segmentsOf(r.Path)
	method := reading(r.Method)
	for i := range table().services {
		s := &table().services[i]
		if !s.isAsked(r) {
			continue
		}
		for j := range s.answers {
			a := &s.answers[j]
			if (a.methods == nil || slices.Contains(a.methods, method)) && matches(a.path, segments) {
				return a
			}
		}
	}
	return nil
}

// isAsked reports whether a request is for the service, by its host or by the client,
// which speaks to no other service.
func (s *service) isAsked(r *Request) bool {
	return slices.ContainsFunc(s.hosts, func(h string) bool { return s.serves(h, r) }) ||
		slices.ContainsFunc(s.clients, func(c string) bool { return strings.Contains(r.Client, c) })
}

// serves compares a host, and its port if the pattern names one.
func (s *service) serves(pattern string, r *Request) bool {
	if port, ok := strings.CutPrefix(pattern, "*:"); ok {
		return strings.HasSuffix(r.Host, ":"+port)
	}
	return hostLike(pattern, r.Domain)
}

// serviceText is a service as it is written.
type serviceText struct {
	Name     string               `yaml:"name"`
	Hosts    []string             `yaml:"hosts"`
	Clients  []string             `yaml:"clients"`
	Headers  map[string]string    `yaml:"headers"`
	Base     []string             `yaml:"base"`
	Anywhere []string             `yaml:"anywhere"`
	Types    map[string]yaml.Node `yaml:"types"`
	Answers  yaml.Node            `yaml:"answers"`
	Texts    []struct {
		Path string `yaml:"path"`
		Kind string `yaml:"kind"`
		Body string `yaml:"body"`
	} `yaml:"texts"`
}

// readServices reads the file of services.
func readServices(data []byte) ([]service, error) {
	var file struct {
		Services []serviceText `yaml:"services"`
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("reading the services: %w", err)
	}
	var named, anywhere []service
	for i := range file.Services {
		f := &file.Services[i]
		s, err := f.entries(f.Hosts, f.Base)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		s.clients = f.Clients
		named = append(named, *s)
		if len(f.Anywhere) == 0 {
			continue
		}
		if s, err = f.entries([]string{"*"}, f.Anywhere); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		anywhere = append(anywhere, *s)
	}
	return append(named, anywhere...), nil
}

// entries makes the answers of a service on these hosts, below these paths.
func (f *serviceText) entries(hosts, bases []string) (*service, error) {
	s := &service{name: f.Name, hosts: hosts}
	if len(bases) == 0 {
		bases = []string{""}
	}
	for _, t := range f.Texts {
		s.answers = append(s.answers, serviceEntry{status: 200, pattern: t.Path, path: segmentsOf(t.Path), kind: t.Kind, body: t.Body})
	}
	reader := shapeReader{types: f.Types, made: map[string]*node{}}
	for i := 0; i+1 < len(f.Answers.Content); i += 2 {
		for _, base := range bases {
			key := f.Answers.Content[i].Value
			a, err := reader.entry(base, key, f.Answers.Content[i+1])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			a.headers = f.Headers
			s.answers = append(s.answers, *a)
		}
	}
	return s, nil
}

// entry reads "METHODS [STATUS] PATH" and a shape. Methods are joined by "|", and
// ANY is each of them.
func (s *shapeReader) entry(base, key string, value *yaml.Node) (*serviceEntry, error) {
	words := strings.Fields(key)
	if len(words) < 2 {
		return nil, fmt.Errorf("want METHOD PATH")
	}
	a := &serviceEntry{status: 200, pattern: base + words[len(words)-1]}
	if words[0] != "ANY" {
		a.methods = strings.Split(words[0], "|")
	}
	if len(words) == 3 {
		status, err := strconv.Atoi(words[1])
		if err != nil {
			return nil, err
		}
		a.status = status
	}
	a.path = segmentsOf(a.pattern)
	var err error
	a.node, err = s.read(value, 0)
	return a, err
}
