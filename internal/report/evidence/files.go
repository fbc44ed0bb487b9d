package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge"
)

// compareFiles checks that the files are those that the report was made with,
// and that nothing else was put beside them.
func (v *verifier) compareFiles() {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	files := v.report.Run.Files
	if !slices.ContainsFunc(files, func(f mcpsf.RunFile) bool { return f.Name == eventsName }) {
		add("the report does not say which %s it was made with", eventsName)
	}
	for _, f := range files {
		switch sum := v.sums[f.Name]; {
		case sum == "":
			add("%s is missing, and the report was made with one", f.Name)
		case sum != f.SHA256:
			add("%s is not the one that the report was made with", f.Name)
		}
	}
	if v.manifest != nil {
		for _, f := range v.manifest.Files {
			if why := v.unaccounted(f.Name); why != "" {
				add("%s %s", f.Name, why)
			}
		}
	}
	v.result.all("files", StatusFailed, problems, "the report was made with these files")
}

// recorded are the names of the files that the report was made with, but for the
// events.
func (v *verifier) recorded() []string {
	var names []string
	if v.report == nil {
		return nil
	}
	for _, f := range v.report.Run.Files[:min(len(v.report.Run.Files), maxFiles)] {
		if goodName(f.Name) && f.Name != eventsName && f.Name != reportName {
			names = append(names, f.Name)
		}
	}
	return names
}

// unaccounted says what is wrong with a file of the bundle, "" if nothing is.
func (v *verifier) unaccounted(name string) string {
	switch name {
	case reportName, transcriptName, modelsName: // what a model said is shown, and decides nothing
		return ""
	}
	if slices.ContainsFunc(v.report.Run.Files, func(f mcpsf.RunFile) bool { return f.Name == name }) {
		return ""
	}
	if v.opts.Render == nil {
		v.result.note("files", "%s was not made again, and may say something else than the report", name)
		return ""
	}
	if v.trail.many {
		v.result.note("files", "%s was not compared with the report: there are too many events", name)
		return ""
	}
	var ways [][]byte
	err := guarded(func() (err error) { ways, err = v.opts.Render(name, v.report, v.trail.events); return err })
	switch {
	case err != nil:
		return fmt.Sprintf("cannot be made from the report: %v", err)
	case len(ways) == 0:
		return "is no file of a run"
	}
	for _, way := range ways {
		if sum := sha256.Sum256(way); hex.EncodeToString(sum[:]) == v.sums[name] {
			return ""
		}
	}
	if v.report.Tool.Version != v.opts.Version {
		v.result.note("files", "%s is another than mcpsf %s makes of the report", name, v.opts.Version)
		return ""
	}
	return "says something else than the report"
}

// compareInputs checks that what was judged is what the run ended with.
func (v *verifier) compareInputs() {
	digest, err := judge.InputDigest(v.report)
	switch last := v.trail.last; {
	case err != nil:
		v.result.fail("inputs", "it cannot be computed: %v", err)
	case last.Kind != mcpsf.KindRunDigest || last.Sandbox == nil || v.trail.digests != 1:
		v.result.fail("inputs", "the events do not end with the one digest of the run")
	case last.Sandbox.Text != digest:
		v.result.fail("inputs", "the report says something else of server, session or coverage than at the end of the run")
	default:
		v.result.ok("inputs", "server, session and coverage are those of the end of the run")
	}
}
