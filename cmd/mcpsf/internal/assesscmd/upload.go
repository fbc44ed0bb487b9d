package assesscmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/service/executor"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// newRequest makes the request for another executor. A local directory is uploaded as the copy
// that a local sandbox would get: without its secrets.
func newRequest(ctx context.Context, f *assessFlags, target mcpsf.Target) (r *job.Request, archive *executor.Archive, clean func(), err error) {
	seed := f.attack.seed
	r = &job.Request{
		Source: target.Source, Command: target.Command, Args: target.Args, Profile: f.attack.profile, Detectors: f.judge.detectors, Env: envMap(target.Env),
		Options: job.Options{
			Network: f.sandbox.network, Image: f.reading.image, Seed: &seed,
			Timeout: f.sandbox.timeout.String(), Memory: f.sandbox.memory, CPUs: f.sandbox.cpus,
			ScanOnly: f.scan, NoInstall: f.reading.noInstall, NoRepository: f.reading.noRepository, MayAttack: f.remote.allowed,
		},
	}
	clean = func() {}
	switch source.KindOf(target) {
	case source.KindLocal:
	case source.KindArchive:
		r.Source = ""
		archive, err = archiveOf(target.Source, filepath.Base(target.Source))
		return r, archive, clean, err
	default:
		return r, nil, clean, nil
	}
	temp, err := os.MkdirTemp("", "mcpsf-upload-")
	if err != nil {
		return nil, nil, clean, err
	}
	clean = func() { _ = os.RemoveAll(temp) }
	archive, err = packLocal(ctx, target, temp)
	if err != nil {
		clean()
		return nil, nil, clean, err
	}
	r.Source = ""
	return r, archive, clean, nil
}

// packLocal packs a local file or directory into an archive.
func packLocal(ctx context.Context, target mcpsf.Target, temp string) (*executor.Archive, error) {
	staged := filepath.Join(temp, "tree")
	if err := os.Mkdir(staged, 0o700); err != nil {
		return nil, err
	}
	a, err := source.Resolve(ctx, target, staged, &kind.Options{Unstarted: true})
	if err != nil {
		return nil, err
	}
	if a.Release != nil {
		defer a.Release()
	}
	name := filepath.Join(temp, "upload.tgz")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(executor.Pack(ctx, staged, f), f.Close()); err != nil {
		return nil, fmt.Errorf("packing the upload: %w", err)
	}
	return archiveOf(name, fileName(a.Name)+".tgz")
}

// archiveOf is a local file to upload under a name.
func archiveOf(file, name string) (*executor.Archive, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	return &executor.Archive{Name: name, Size: info.Size(), Open: func() (io.ReadCloser, error) { return os.Open(file) }}, nil
}

func envMap(env []string) map[string]string {
	if len(env) == 0 {
		return nil
	}
	m := map[string]string{}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		m[name] = value
	}
	return m
}
