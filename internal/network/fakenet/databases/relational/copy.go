package relational

import (
	"fmt"
	"strings"
)

// copy begins COPY ... FROM STDIN.
func (r changing) copy(st *statement) (*Result, error) {
	t, err := r.target(st)
	if err != nil {
		return nil, err
	}
	n := len(st.columns)
	if n == 0 {
		n = len(t.Columns)
	}
	if !r.dry {
		r.copying, r.copied = st, ""
	}
	return &Result{Tag: "COPY", CopyIn: n}, nil
}

// CopyData takes a piece of what COPY sends.
func (s *Session) CopyData(p []byte) {
	if s.copying != nil && len(s.copied)+len(p) <= maxValue {
		s.copied += string(p)
	}
}

// CopyDone stores what COPY sent: a line for each row, tabs between the columns.
func (s *Session) CopyDone() (*Result, error) {
	st, lines := s.copying, s.copied
	s.copying, s.copied = nil, ""
	if st == nil {
		return &Result{Tag: "COPY 0"}, nil
	}
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	r := s.run(nil, false)
	rows := &statement{verb: "INSERT", schema: st.schema, table: st.table, columns: st.columns}
	for line := range strings.Lines(lines) {
		line = strings.TrimRight(line, "\r\n")
		if line == `\.` || line == "" {
			continue
		}
		var row []*expr
		for cell := range strings.SplitSeq(line, "\t") {
			x := &expr{op: opLiteral, value: cell}
			if cell == `\N` {
				x.value = nil
			}
			row = append(row, x)
		}
		rows.rows = append(rows.rows, row)
	}
	before := s.store.snapshot()
	res := &Result{}
	if len(rows.rows) > 0 {
		var err error
		if res, err = (changing{r}).change(rows); err != nil {
			s.store.restore(before)
			return nil, s.failing(err)
		}
	}
	res.Tag = fmt.Sprintf("COPY %d", res.Affected)
	return res, nil
}
