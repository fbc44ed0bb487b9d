// Package image is the source for container images.
//
// In: a reference, an archive or a layout. Out: the artifact of the image's
// file system with its entry point. The layers are fetched, verified and merged
// into one tree without Docker; the cache keeps the tree. [PullRuntime]
// provides the same tree for servers that need the image as their runtime but
// are not in it.
package image

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Resolver is a container image with the server in it: in a registry
// ("oci:ref"), in a file ("oci-archive:image.tar", as an OCI layout or in the
// format of "docker save"), or in a directory with an OCI layout
// ("oci-layout:dir").
//
// It is pulled and unpacked without Docker. The user's credentials are those of
// "docker login" or "podman login"; if a credential helper keeps them, the
// user's own program is run. They are sent only to the registry.
type Resolver struct{}

var _ kind.Resolver = Resolver{}

// Kind implements [kind.Resolver].
func (Resolver) Kind() string { return "oci" }

// Match implements [kind.Resolver].
func (Resolver) Match(target mcpsf.Target) bool {
	_, _, ok := schemeOf(target.Source)
	return ok
}

func schemeOf(source string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(source, ":")
	return scheme, rest, ok && slices.Contains([]string{"oci", "oci-archive", "oci-layout"}, scheme)
}

// Resolve implements [kind.Resolver]. The stage stays empty: the server's files
// are those of the image.
func (k Resolver) Resolve(ctx context.Context, target mcpsf.Target, _ string, opts kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	img, dir, note, release, err := provide(ctx, target.Source, opts)
	if err != nil {
		return nil, nil, err
	}
	command, err := commandOf(target, &note.Config)
	if err != nil {
		release()
		return nil, nil, err
	}
	opts.Logger.Debug("image", "digest", img.digest, "files", note.Files, "bytes", note.Bytes, "offline", img.offline)
	a := &mcpsf.Artifact{
		Kind: k.Kind(), Name: img.name, Version: img.version, Digest: img.digest, Files: note.Files, Bytes: note.Bytes,
		RootFS: dir, WorkDir: note.Config.WorkDir, Runtime: mcpsf.RuntimeNative, Release: release,
		Command: command, Env: mergeEnv(note.Config.Env, target.Env), Description: note.Config.Description,
		Notes: append(img.notes, note.Notes...),
	}
	if img.url != "" {
		a.Origin = &mcpsf.Origin{URL: img.url, Pin: img.digest, Offline: img.offline}
	}
	why := "the image's entry point"
	if len(target.Command) > 0 {
		why = "given after --"
	}
	a.Candidates = []mcpsf.EntryCandidate{{Command: command, Why: why, Chosen: true}}
	return a, note.Facts, nil
}

// PullRuntime provides an image as the system for a server that is not in the
// image itself. ref is what may follow "oci:", or begins with one of the image
// schemes. rootfs stays in place until release is called.
func PullRuntime(ctx context.Context, ref string, opts *kind.Options) (rootfs string, env []string, release func(), err error) {
	if _, _, ok := schemeOf(ref); !ok {
		ref = "oci:" + ref
	}
	_, dir, note, release, err := provide(ctx, ref, opts.Complete())
	if err != nil {
		return "", nil, nil, err
	}
	return dir, note.Config.Env, release, nil
}

func provide(ctx context.Context, source string, opts kind.Options) (img *image, dir string, note *kept, release func(), err error) {
	if opts.Trees == nil {
		return nil, "", nil, nil, unavailable("images need the cache, and there is none; allow mcpsf a cache directory")
	}
	want := sandboxPlatform()
	if img, err = locate(ctx, source, opts, want); err != nil {
		return nil, "", nil, nil, err
	}
	defer img.from.close()
	dir, note, release, err = img.tree(ctx, opts, want)
	return img, dir, note, release, err
}

func locate(ctx context.Context, source string, opts kind.Options, want platform) (*image, error) {
	scheme, rest, _ := schemeOf(source)
	switch {
	case rest == "":
		return nil, usererr.Usage("%s names no image; write it as in: oci:registry.example/team/server:1.2", usererr.Quote(source))
	case scheme == "oci":
		return locateRemote(ctx, rest, opts, want)
	case scheme == "oci-archive":
		return locateArchive(ctx, rest, want)
	}
	return locateLayout(ctx, rest, want)
}

// sandboxPlatform is what this machine's sandbox runs: always Linux.
func sandboxPlatform() platform { return platform{"linux", runtime.GOARCH} }

// commandOf works like "docker run": arguments replace the image's Cmd and
// follow its entry point.
func commandOf(target mcpsf.Target, c *settings) ([]string, error) {
	if len(target.Command) > 0 {
		return target.Command, nil
	}
	command := slices.Concat(c.Entrypoint, c.Cmd)
	if len(target.Args) > 0 {
		command = slices.Concat(c.Entrypoint, target.Args)
	}
	if len(command) == 0 || command[0] == "" {
		return nil, usererr.Usage("the image %s has no entry point; say what to start, as in: mcpsf assess %s -- COMMAND",
			usererr.Quote(target.Source), usererr.ShellWord(target.Source))
	}
	return command, nil
}

// mergeEnv lets the user's variables override the image's.
func mergeEnv(base, over []string) []string {
	taken := map[string]bool{}
	for _, kv := range over {
		name, _, _ := strings.Cut(kv, "=")
		taken[name] = true
	}
	var env []string
	for _, kv := range base {
		if name, _, _ := strings.Cut(kv, "="); !taken[name] {
			env = append(env, kv)
		}
	}
	return append(env, over...)
}
