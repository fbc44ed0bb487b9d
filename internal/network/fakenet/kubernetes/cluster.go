package kubernetes

import (
	"encoding/json"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Kind is a list of objects of one kind, as kubectl shows them.
type Kind struct {
	// Plural is the name of the resource: pods.
	Plural string
	// Header names the columns of a table.
	Header []string
	Items  []Item
}

// Item is one object, and its cells in a table.
type Item struct {
	Row    []string
	Object map[string]any
}

// Request is a request to the API.
type Request struct {
	Method, Path, Accept string
	Query                url.Values
}

// Answer is an answer of the API.
type Answer struct {
	Status int
	Kind   string // the content type
	Body   []byte
}

// Cluster answers requests. It never changes, so it is safe for concurrent use.
type Cluster struct {
	seed  uint64
	now   func() time.Time
	kinds map[string]*Kind
}

// New makes a cluster with these objects.
func New(seed uint64, now func() time.Time, kinds []Kind) *Cluster {
	c := &Cluster{seed: seed, now: now, kinds: map[string]*Kind{}}
	for i := range kinds {
		k := &Kind{Plural: kinds[i].Plural, Header: kinds[i].Header}
		for _, it := range kinds[i].Items {
			k.Items = append(k.Items, Item{Row: it.Row, Object: c.dated(it.Object)})
		}
		c.kinds[k.Plural] = k
	}
	c.measure()
	return c
}

// Answer answers a request; nil if its path is not one of the API.
func (c *Cluster) Answer(r *Request) *Answer {
	switch path := strings.Trim(r.Path, "/"); {
	case path == "version":
		return c.version()
	case path == "api" || path == "apis":
		return c.roots(r, path)
	case path == "healthz" || path == "livez" || path == "readyz":
		return &Answer{http.StatusOK, "text/plain; charset=utf-8", []byte("ok")}
	case path == "openapi/v2" || path == "openapi/v3" || strings.HasPrefix(path, "openapi/v3/"):
		return c.schema(r, path)
	case strings.HasPrefix(path, "api/") || strings.HasPrefix(path, "apis/"):
		return c.group(r, strings.Split(path, "/"))
	}
	return nil
}

// object is a JSON object; its keys are written in order.
type object = map[string]any

// encode writes an answer in JSON.
func encode(status int, v any) *Answer {
	p, err := json.Marshal(v)
	if err != nil { // cannot happen with what was read from YAML
		return &Answer{Status: http.StatusInternalServerError}
	}
	return &Answer{status, "application/json", append(p, '\n')}
}

func (c *Cluster) version() *Answer {
	return encode(http.StatusOK, object{
		"major": "1", "minor": "30", "gitVersion": "v1.30.6", "gitCommit": c.letters("commit", 40), "gitTreeState": "clean",
		"buildDate": "2024-10-22T20:28:14Z", "goVersion": "go1.22.8", "compiler": "gc", "platform": "linux/amd64",
	})
}

// dated adds to an object what every stored one has. The given one stays as it is.
func (c *Cluster) dated(from object) object {
	o := maps.Clone(from)
	meta, _ := o["metadata"].(object)
	meta = maps.Clone(meta)
	if meta == nil {
		meta = object{}
	}
	label := text(o["kind"]) + " " + text(meta["name"])
	add := func(name string, v any) {
		if meta[name] == nil {
			meta[name] = v
		}
	}
	add("uid", c.uuid(label))
	add("resourceVersion", c.number(label))
	add("creationTimestamp", c.now().UTC().AddDate(0, 0, -107).Truncate(time.Hour).Format(time.RFC3339))
	o["metadata"] = meta
	return o
}

// letters are hexadecimal digits that depend on the seed and a label.
func (c *Cluster) letters(label string, n int) string {
	d := c.dice(label)
	p := make([]byte, n)
	for i := range p {
		p[i] = "0123456789abcdef"[d.IntN(16)]
	}
	return string(p)
}

func (c *Cluster) dice(label string) *rand.Rand {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte("kubernetes " + label)) // never fails
	return rand.New(rand.NewPCG(c.seed, sum.Sum64()))
}

func (c *Cluster) uuid(label string) string {
	h := c.letters(label, 32)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}

// number is a version of an object.
func (c *Cluster) number(label string) string {
	return string(rune('1'+c.dice(label).IntN(9))) + strings.Map(func(r rune) rune { return '0' + r%10 }, c.letters(label, 5))
}

// spaces are the namespaces of the cluster.
func (c *Cluster) spaces() []string {
	var list []string
	if k := c.kinds["namespaces"]; k != nil {
		for _, it := range k.Items {
			list = append(list, nameOf(it.Object))
		}
	}
	return list
}

func (c *Cluster) hasSpace(name string) bool { return slices.Contains(c.spaces(), name) }

func nameOf(o object) string {
	meta, _ := o["metadata"].(object)
	return text(meta["name"])
}

func text(v any) string {
	s, _ := v.(string)
	return s
}
