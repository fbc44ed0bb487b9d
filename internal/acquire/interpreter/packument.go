package interpreter

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxIndex bounds a registry's description of one package.
// no gap: bounds the toolchain that we fetch, not the server
const maxIndex = 64 << 20

// versionsOf lists the reliable versions of an npm package, newest first:
// released, not withdrawn, with a digest.
func versionsOf(ctx context.Context, client *registry.Client, from registry.Registry, name, what string) ([]published, error) {
	var doc struct {
		Versions map[string]json.RawMessage `json:"versions"`
	}
	req := &registry.Request{
		Registry: from, URL: name, What: what,
		Accept: "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8",
	}
	if err := client.JSON(ctx, req, maxIndex, &doc); err != nil {
		return nil, err
	}
	var list []published
	for version, raw := range doc.Versions {
		if p, ok := versionIn(version, raw); ok {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b published) int { return natural(b.Version, a.Version) })
	return list, nil
}

var releasedVersion = lazyregexp.New(`^\d{1,6}\.\d{1,6}\.\d{1,6}$`)

// versionIn reads one version. Old ones have fields of other types, which are
// left out one by one.
func versionIn(version string, raw json.RawMessage) (published, bool) {
	var v struct {
		Dist struct {
			Tarball   string `json:"tarball"`
			Integrity string `json:"integrity"`
		} `json:"dist"`
		Deprecated json.RawMessage `json:"deprecated"`
		Engines    json.RawMessage `json:"engines"`
	}
	if !releasedVersion.MatchString(version) || json.Unmarshal(raw, &v) != nil {
		return published{}, false
	}
	if d := string(v.Deprecated); d != "" && d != "false" && d != `""` && d != "null" {
		return published{}, false
	}
	p := published{Version: version, URL: v.Dist.Tarball, Sum: sumOfIntegrity(v.Dist.Integrity), needs: enginesNode(v.Engines)}
	return p, p.valid()
}

// enginesNode is "" if engines is malformed.
func enginesNode(engines json.RawMessage) string {
	var e struct {
		Node string `json:"node"`
	}
	if len(engines) == 0 || json.Unmarshal(engines, &e) != nil {
		return ""
	}
	return e.Node
}

// runsOn keeps versions whose requirements a runtime meets.
func runsOn(list []published, i Interpreter) []published {
	return slices.DeleteFunc(list, func(p published) bool { return !Satisfies(i.Runtime, i.Version, p.needs) })
}

// fewOfEach keeps the first two of each major version, and only a handful: if a
// mirror lacks all of those, it lacks the rest, too.
func fewOfEach(list []published) []published {
	// no gap: bounds the toolchain that we fetch, not the server
	const each, most = 2, 8
	count := map[string]int{}
	list = slices.DeleteFunc(list, func(p published) bool {
		major, _, _ := strings.Cut(p.Version, ".")
		count[major]++
		return count[major] > each
	})
	return list[:min(most, len(list))]
}

// major is the first number of a version.
func major(version string) int {
	n := 0
	for _, c := range digits(version) {
		n = min(n*10+int(c-'0'), 1<<20)
	}
	return n
}
