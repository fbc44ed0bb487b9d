package protocols

import (
	"bytes"
	"errors"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/relational"
)

// fail sends an error.
func (d *database) fail(err error) {
	e := &relational.Error{State: "XX000", Message: "internal error"}
	errors.As(err, &e)
	p := cstrings("SERROR", "VERROR", "C"+e.State, "M"+e.Message)
	if e.At > 0 {
		p = append(p, cstrings("P"+itoa(e.At))...)
	}
	d.send('E', append(p, 0))
}

// stop sends an error of the extended protocol.
func (d *database) stop(err error) {
	d.session.Failed()
	d.fail(err)
	d.skipping = true
}

// columns describes the columns of a result.
func (d *database) columns(list []relational.Column, formats []uint16) {
	p := be16(len(list))
	for i, c := range list {
		p = append(p, cstrings(c.Name)...)
		p = append(p, be32(uint32(c.Of))...)
		p = append(p, be16(c.Number)...)
		p = append(p, be32(c.Type.Kind.OID())...)
		p = append(p, be16(c.Type.Kind.Length()&0xffff)...)
		p = append(p, be32(uint32(c.Type.Modifier()))...)
		p = append(p, be16(int(formatOf(formats, i)))...)
	}
	d.send('T', p)
}

// row sends a row.
func (d *database) row(row []relational.Value, columns []relational.Column, formats []uint16) {
	var b bytes.Buffer
	b.Write(be16(len(row)))
	for i, v := range row {
		if v == nil {
			b.Write(be32(0xffffffff))
			continue
		}
		p := encodeValue(v, columns[i].Type, formatOf(formats, i) == 1)
		b.Write(be32(uint32(len(p))))
		b.Write(p)
	}
	d.send('D', b.Bytes())
}

// formatOf is the format of a column: one format stands for all of them.
func formatOf(formats []uint16, i int) uint16 {
	switch {
	case len(formats) == 1:
		return formats[0]
	case i < len(formats):
		return formats[i]
	}
	return 0
}

// cstring splits p at the first NUL.
func cstring(p []byte) (s string, rest []byte) {
	before, after, _ := bytes.Cut(p, []byte{0})
	return string(before), after
}
