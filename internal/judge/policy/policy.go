// Package policy makes least-privilege settings out of what a server was seen
// to need.
//
// In: a [mcpsf.Report] with its accesses. Out: a table by tool, and the same as
// settings for what can hold a server to it: ToolHive, Docker's MCP gateway, VS
// Code, seccomp, Landlock. Only what somebody explains is granted; what nobody
// explains, planted secrets and what a finding is about are left out and named
// in comments. Names come from the target, so they are written only where they
// are harmless in every format. It decides nothing about the server.
package policy

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Format names who the settings are for.
type Format string

// The formats.
const (
	FormatTable    Format = "table"
	FormatToolHive Format = "toolhive"
	FormatDocker   Format = "docker"
	FormatVSCode   Format = "vscode"
	FormatSeccomp  Format = "seccomp"
	FormatLandlock Format = "landlock"
)

// All lists the formats.
func All() []Format {
	return []Format{FormatTable, FormatToolHive, FormatDocker, FormatVSCode, FormatSeccomp, FormatLandlock}
}

// Write makes the settings for f from what r saw. The same report always gives
// the same bytes.
func Write(w io.Writer, f Format, r *mcpsf.Report) error {
	write := map[Format]func(*bytes.Buffer, *Needs) error{
		FormatTable: table, FormatToolHive: toolHive, FormatDocker: docker,
		FormatVSCode: vscode, FormatSeccomp: seccomp, FormatLandlock: landlock,
	}[f]
	if write == nil {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("there are no settings for %q; use one of: %s", string(f), names())}
	}
	needs, err := Of(r)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	if err := write(&buf, needs); err != nil {
		return fmt.Errorf("making settings for %s: %w", f, err)
	}
	_, err = w.Write(buf.Bytes())
	return err
}

func names() string {
	var list []string
	for _, f := range All() {
		list = append(list, string(f))
	}
	return strings.Join(list, ", ")
}
