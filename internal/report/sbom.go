package report

import (
	"bytes"
	"errors"
	"io"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/sbom"
)

// materials writes what the server consists of, in a form of others.
type materials struct {
	format Format
	encode func(w io.Writer, r *mcpsf.Report) error
}

var _ format = materials{}

func cycloneDX() materials { return materials{FormatCycloneDX, sbom.CycloneDX} }

func spdx() materials { return materials{FormatSPDX, sbom.SPDX} }

func (m materials) name() Format { return m.format }

// write refuses where nothing was read: a list with nothing on it would say
// that the server has no dependencies.
func (m materials) write(buf *bytes.Buffer, doc document) error {
	if doc.report.Inspection == nil {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "of this server no package was read, so what it consists of is not known", Err: errors.New("the report has no inspection")}
	}
	return m.encode(buf, doc.report)
}
