package evidence

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// ManifestVersion is the version of [Manifest]. It changes when a field changes
// its meaning or is removed, not when one is added.
const ManifestVersion = "1"

// Manifest says what is in a bundle.
type Manifest struct {
	SchemaVersion string         `json:"schema_version"`
	Tool          mcpsf.ToolInfo `json:"tool"`
	Run           mcpsf.Run      `json:"run"`
	Artifact      Artifact       `json:"artifact"`
	Verdict       mcpsf.Verdict  `json:"verdict"`
	// Rules is the digest of the rules that judged the run, "" if unknown.
	Rules string `json:"rules,omitempty"`
	// Files are all files but the manifest, in order: the report, then the
	// others by name.
	Files []File `json:"files"`
	// Missing lists the files that are not there, and why.
	Missing []Missing `json:"missing"`
}

// Artifact is what was assessed.
type Artifact struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	// Digest is the digest of the tree, Pin the digest of the published file.
	Digest string `json:"digest,omitempty"`
	Pin    string `json:"pin,omitempty"`
}

// File is one file of a bundle.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Missing is a file that a bundle could have.
type Missing struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// outline returns the part of the manifest that comes from the report.
func outline(r *mcpsf.Report) Manifest {
	m := Manifest{
		SchemaVersion: ManifestVersion, Tool: r.Tool, Run: r.Run, Verdict: r.Verdict,
		Artifact: Artifact{Kind: r.Artifact.Kind, Name: r.Artifact.Name, Version: r.Artifact.Version, Digest: r.Artifact.Digest},
	}
	if r.Artifact.Origin != nil {
		m.Artifact.Pin = r.Artifact.Origin.Pin
	}
	return m
}

func (m *Manifest) encode() ([]byte, error) {
	data, err := safetext.JSON(m)
	if err != nil {
		return nil, fmt.Errorf("encoding the manifest: %w", err)
	}
	return data, nil
}

// parseManifest reads a manifest and checks everything that needs no other file.
func parseManifest(r io.Reader) (*Manifest, error) {
	dec := json.NewDecoder(io.LimitReader(r, maxManifest))
	var m Manifest
	if err := dec.Decode(&m); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", manifestName, err)
	}
	if !ended(dec) {
		return nil, fmt.Errorf("%s goes on after its end", manifestName)
	}
	if m.SchemaVersion != ManifestVersion {
		return nil, fmt.Errorf("%s has the schema version %q, and %q is understood", manifestName, m.SchemaVersion, ManifestVersion)
	}
	if err := m.checkFiles(); err != nil {
		return nil, fmt.Errorf("%s %w", manifestName, err)
	}
	return &m, nil
}

func (m *Manifest) checkFiles() error {
	if len(m.Files) == 0 || m.Files[0].Name != reportName {
		return fmt.Errorf("does not begin with %s", reportName)
	}
	if len(m.Files) > maxFiles {
		return fmt.Errorf("lists %d files, more than %d", len(m.Files), maxFiles)
	}
	left := int64(maxTotal)
	for i, f := range m.Files {
		if err := f.check(); err != nil {
			return err
		}
		if f.Size > left {
			return fmt.Errorf("lists more than %d GiB", maxTotal>>30)
		}
		left -= f.Size
		if i > 1 && f.Name <= m.Files[i-1].Name || i > 0 && f.Name == reportName {
			return fmt.Errorf("lists %q out of order or twice", f.Name)
		}
	}
	if m.file(eventsName) == nil {
		return fmt.Errorf("does not list %s", eventsName)
	}
	return nil
}

func (f *File) check() error {
	sum, err := hex.DecodeString(f.SHA256)
	switch {
	case f.Name == manifestName:
		return errors.New("lists itself")
	case !goodName(f.Name):
		return fmt.Errorf("lists a file with a bad name: %q", f.Name)
	case f.Size < 0:
		return fmt.Errorf("lists %q with a size below zero", f.Name)
	case err != nil || len(sum) != 32 || strings.ToLower(f.SHA256) != f.SHA256:
		return fmt.Errorf("lists %q without a hash", f.Name)
	}
	return nil
}

// file returns the manifest's entry for a file, nil for none.
func (m *Manifest) file(name string) *File {
	i := slices.IndexFunc(m.Files, func(f File) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &m.Files[i]
}

var nameForm = lazyregexp.New(`^[a-z0-9][a-z0-9._-]{0,98}$`)

// goodName allows names that are the same on every system and contain no path.
func goodName(name string) bool { return nameForm.MatchString(name) }
