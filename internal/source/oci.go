package source

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// oci is a container image with the server in it: in a registry ("oci:ref"),
// in a file ("oci-archive:image.tar", as an OCI layout or as "docker save"
// writes it), or in a directory with an OCI layout ("oci-layout:dir").
//
// It is pulled and unpacked without Docker. The user's credentials are those
// of "docker login" or "podman login"; where these are kept by a credential
// helper, the user's own program is asked. They go to the registry alone.
type oci struct{}

var _ Resolver = oci{}

// Kind implements [Resolver].
func (oci) Kind() string { return "oci" }

// Match implements [Resolver].
func (oci) Match(target mcpsf.Target) bool {
	_, _, ok := imageScheme(target.Source)
	return ok
}

func imageScheme(source string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(source, ":")
	return scheme, rest, ok && slices.Contains([]string{"oci", "oci-archive", "oci-layout"}, scheme)
}

// Resolve implements [Resolver]. The stage stays empty: the server's files are
// those of the image.
func (k oci) Resolve(ctx context.Context, target mcpsf.Target, _ string, opts Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	img, dir, note, release, err := provideImage(ctx, target.Source, opts)
	if err != nil {
		return nil, nil, err
	}
	command, err := imageCommand(target, &note.Config)
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

// PullRuntime provides an image as the system that a server runs on which is
// not in the image itself. ref is what may follow "oci:", or begins with one
// of the schemes of images. rootfs stays in place until release is called.
func PullRuntime(ctx context.Context, ref string, opts *Options) (rootfs string, env []string, release func(), err error) {
	if _, _, ok := imageScheme(ref); !ok {
		ref = "oci:" + ref
	}
	_, dir, note, release, err := provideImage(ctx, ref, opts.complete())
	if err != nil {
		return "", nil, nil, err
	}
	return dir, note.Config.Env, release, nil
}

func provideImage(ctx context.Context, source string, opts Options) (img *image, dir string, note *imageNote, release func(), err error) {
	if opts.Trees == nil {
		return nil, "", nil, nil, unavailable("images need the cache, and there is none; allow mcpsf a cache directory")
	}
	want := sandboxPlatform()
	if img, err = locateImage(ctx, source, opts, want); err != nil {
		return nil, "", nil, nil, err
	}
	defer img.from.close()
	dir, note, release, err = img.tree(ctx, opts, want)
	return img, dir, note, release, err
}

func locateImage(ctx context.Context, source string, opts Options, want platform) (*image, error) {
	scheme, rest, _ := imageScheme(source)
	switch {
	case rest == "":
		return nil, usage("%s names no image; write it as in: oci:registry.example/team/server:1.2", quote(source))
	case scheme == "oci":
		return locateRemote(ctx, rest, opts, want)
	case scheme == "oci-archive":
		return locateArchive(ctx, rest, want)
	}
	return locateLayout(ctx, rest, want)
}

// sandboxPlatform is what this machine's sandbox runs, which is always Linux.
func sandboxPlatform() platform { return platform{"linux", runtime.GOARCH} }

// imageCommand does as "docker run" does: arguments take the place of the
// image's own, which it calls Cmd, and follow its entry point.
func imageCommand(target mcpsf.Target, c *imageConfig) ([]string, error) {
	if len(target.Command) > 0 {
		return target.Command, nil
	}
	command := slices.Concat(c.Entrypoint, c.Cmd)
	if len(target.Args) > 0 {
		command = slices.Concat(c.Entrypoint, target.Args)
	}
	if len(command) == 0 || command[0] == "" {
		return nil, usage("the image %s has no entry point; say what to start, as in: mcpsf assess %s -- COMMAND",
			quote(target.Source), shellWord(target.Source))
	}
	return command, nil
}

// mergeEnv lets the user's variables take the place of the image's.
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
