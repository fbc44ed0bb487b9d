package expect

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/flow"
)

// document writes an answer that is XML or a table; nil if it is none.
func (w *writer) document(r *addressed) *mcpsf.ExpectedAnswer {
	g := w.graph
	for _, way := range []string{"", flow.Text, "text", "content", "data", "body"} {
		n := r.result
		if way != "" {
			n = g.get(n, way)
		}
		for _, as := range [][2]string{{flow.Elements, "xml"}, {flow.Objects, "xml-object"}, {flow.Table, "csv"}} {
			to := g.get(n, as[0])
			if to == 0 {
				continue
			}
			s := w.shape(to, "rows", 0)
			w.visit(r.result)
			if s == nil || len(s.Members) == 0 && s.Type != "array" {
				return nil
			}
			return &mcpsf.ExpectedAnswer{Host: r.host, Path: r.path, Shape: s, Format: as[1]}
		}
	}
	return nil
}
