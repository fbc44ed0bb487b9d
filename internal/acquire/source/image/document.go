package image

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxManifest bounds a manifest, an index and a configuration.
// no gap: a larger package, manifest or list is refused with an error
const maxManifest = 4 << 20

// platform is what the sandbox can run.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "/" + p.arch }

// document is a manifest or an index of manifests.
type document struct {
	SchemaVersion int             `json:"schemaVersion"`
	MediaType     types.MediaType `json:"mediaType"`
	Manifests     []v1.Descriptor `json:"manifests"`
	Config        *v1.Descriptor  `json:"config"`
	Layers        []v1.Descriptor `json:"layers"`
}

func (d *document) isIndex() bool { return d.Manifests != nil }

// parseDocument refuses documents that are neither, or could be both.
func parseDocument(source string, data []byte) (*document, error) {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, usererr.Usage("%s is not an image: its manifest cannot be read (%s); check the reference", usererr.Quote(source), safetext.Line(err.Error(), usererr.MaxShown))
	}
	switch {
	case d.SchemaVersion == 1 || d.MediaType.IsSchema1():
		return nil, usererr.Usage("the manifest of %s is of the unsupported media type of Docker before 1.10; push the image again with a current tool", usererr.Quote(source))
	case d.Manifests != nil && (d.Config != nil || d.Layers != nil):
		return nil, usererr.Usage("the manifest of %s can be read in two ways; do not use it", usererr.Quote(source))
	case d.Manifests != nil:
		return &d, nil
	case d.Config == nil:
		return nil, usererr.Usage("%s is not an image: its manifest has the media type %s; check the reference", usererr.Quote(source), usererr.Quote(string(d.MediaType)))
	}
	return &d, d.check(source)
}

// check checks a manifest before any of its parts is downloaded.
func (d *document) check(source string) error {
	if t := d.Config.MediaType; !t.IsConfig() {
		return usererr.Usage("%s is not an image: its configuration has the unsupported media type %s; check the reference", usererr.Quote(source), usererr.Quote(string(t)))
	}
	if len(d.Layers) > maxLayers {
		return usererr.Usage("the image %s has more than %d layers; mcpsf cannot assess it", usererr.Quote(source), maxLayers)
	}
	var total int64
	for _, l := range d.Layers {
		if !l.MediaType.IsLayer() {
			return usererr.Usage("a layer of %s has the unsupported media type %s; build the image with plain, gzip or zstd layers", usererr.Quote(source), usererr.Quote(string(l.MediaType)))
		}
		if l.Size < 0 || l.Size > maxBytes-total {
			return usererr.Usage("the layers of %s add up to more than %s; mcpsf cannot assess images that large", usererr.Quote(source), usererr.Size(maxBytes))
		}
		total += l.Size
	}
	if d.Config.Size < 0 || d.Config.Size > maxManifest {
		return usererr.Usage("the configuration of %s is larger than %s; do not use it", usererr.Quote(source), usererr.Size(maxManifest))
	}
	return nil
}

// pick returns the manifests of an index that the sandbox can run: those for
// the platform, or, if there are none, those without a platform.
func (d *document) pick(source string, want platform) ([]v1.Descriptor, error) {
	var fit, open []v1.Descriptor
	var others []string
	for _, m := range d.Manifests {
		switch p := m.Platform; {
		case !m.MediaType.IsImage() && !m.MediaType.IsIndex():
		case p == nil || p.OS == "" && p.Architecture == "":
			open = append(open, m)
		case p.OS == want.os && p.Architecture == want.arch:
			fit = append(fit, m)
		case p.OS != "unknown": // attestations have no platform
			others = append(others, safetext.Line(p.OS+"/"+p.Architecture, 40))
		}
	}
	if len(fit) > 0 {
		return fit, nil
	}
	if len(open) > 0 {
		return open, nil
	}
	return nil, wrongPlatform(source, want, others)
}

func wrongPlatform(source string, want platform, has []string) error {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 12
	slices.Sort(has)
	has = slices.Compact(has)
	list := strings.Join(has[:min(most, len(has))], ", ")
	if len(has) > most {
		list += ", ..."
	}
	if list == "" {
		list = "none"
	}
	return usererr.Usage("there is no image %s for %s, which this machine runs (there is: %s); use a machine or a tag that fits", usererr.Quote(source), want, list)
}

// settings is the image's configuration for running it.
type settings struct {
	Entrypoint  []string `json:"entrypoint,omitempty"`
	Cmd         []string `json:"cmd,omitempty"`
	Env         []string `json:"env,omitempty"`
	WorkDir     string   `json:"work_dir"`
	User        string   `json:"user,omitempty"`
	Ports       []string `json:"ports,omitempty"`
	Description string   `json:"description,omitempty"`
}

// parseSettings also returns the digests of the uncompressed layers.
func parseSettings(source string, data []byte, want platform) (*settings, []v1.Hash, error) {
	var file v1.ConfigFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, nil, usererr.Usage("%s is not an image: its configuration cannot be read (%s); check the reference", usererr.Quote(source), safetext.Line(err.Error(), usererr.MaxShown))
	}
	if got := (platform{file.OS, file.Architecture}); got != want && got != (platform{}) {
		return nil, nil, wrongPlatform(source, want, []string{safetext.Line(got.String(), 40)})
	}
	c := file.Config
	if bad := usererr.BadName(c.WorkingDir); bad != "" || len(c.WorkingDir) > usererr.MaxPath {
		return nil, nil, usererr.Usage("the working directory of the image %s %s; do not use it", usererr.Quote(source), cmp.Or(bad, "is too long"))
	}
	if err := checkWords(source, c.Entrypoint, c.Cmd, c.Env); err != nil {
		return nil, nil, err
	}
	out := &settings{
		Entrypoint: c.Entrypoint, Cmd: c.Cmd, WorkDir: path.Join("/", c.WorkingDir), User: safetext.Line(c.User, 80),
		Description: safetext.Line(c.Labels["org.opencontainers.image.description"], 300),
	}
	for _, kv := range c.Env {
		if name, _, ok := strings.Cut(kv, "="); ok && name != "" {
			out.Env = append(out.Env, kv)
		}
	}
	for port := range c.ExposedPorts {
		out.Ports = append(out.Ports, safetext.Line(port, 20))
	}
	slices.Sort(out.Ports)
	out.Ports = out.Ports[:min(20, len(out.Ports))]
	return out, file.RootFS.DiffIDs, nil
}

// checkWords refuses arguments that no process can be started with.
func checkWords(source string, lists ...[]string) error {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 256 << 10
	total := 0
	for _, w := range slices.Concat(lists...) {
		total += len(w) + 1
		if strings.ContainsRune(w, 0) {
			return usererr.Usage("the configuration of the image %s has a NUL byte in a word; do not use it", usererr.Quote(source))
		}
	}
	if total > most {
		return usererr.Usage("the command and environment of the image %s are larger than %s; do not use it", usererr.Quote(source), usererr.Size(most))
	}
	return nil
}

// notes say which settings of the image the sandbox ignores.
func (c *settings) notes() []string {
	var list []string
	if c.User != "" {
		list = append(list, fmt.Sprintf("the image asks to run as the user %s; in the sandbox it runs as the sandbox's own", usererr.Quote(c.User)))
	}
	if len(c.Ports) > 0 {
		list = append(list, "the image declares the ports "+usererr.Quote(strings.Join(c.Ports, " ")))
	}
	return list
}
