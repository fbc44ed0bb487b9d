package report

import (
	"bytes"
	"errors"
	"io"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
)

// bill writes the packages of the server with an encoder. It fails if the package was
// not read: an empty list would say that the server has no dependencies.
func bill(encode func(w io.Writer, r *mcpsf.Report) error) func(buf *bytes.Buffer, data digest.Data, style Style) error {
	return func(buf *bytes.Buffer, data digest.Data, _ Style) error {
		if data.Report.Inspection == nil {
			return &mcpsf.Error{
				Code: mcpsf.CodeUsage, Message: "no package of this server was read, so its components are not known",
				Err: errors.New("the report has no inspection"),
			}
		}
		return encode(buf, data.Report)
	}
}
