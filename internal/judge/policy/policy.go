// Package policy makes least-privilege settings from what a server needed in a
// run.
//
// In: a [mcpsf.Report] with its accesses. Out: a table by tool, and settings for
// ToolHive, Docker's MCP gateway, VS Code, seccomp and Landlock, which can
// enforce them. Only explained accesses are granted. Unexplained accesses,
// decoys and what a finding names are left out and listed in comments. Names
// come from the target, so they are written only if they are harmless in every
// format. The package does not judge the server.
package policy

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Format is the product that the settings are for.
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

// Write writes the settings for f from the accesses in r. The same report always
// gives the same bytes.
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
