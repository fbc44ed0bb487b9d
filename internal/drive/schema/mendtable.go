package schema

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// maxTable bounds the tables to which columns are added.
// gap: tools-failed
const maxTable = 64 << 10

// addColumn adds a column to the table in a text of the input, with values of ours. It
// reports whether the input has a table now that has the column.
func addColumn(m *mender, w *mcpsf.Wish) bool {
	if len(w.Path) == 0 {
		return false
	}
	column := w.Path[len(w.Path)-1]
	for _, name := range sortedKeys(m.args) {
		text, _ := m.args[name].(string)
		rows, comma := tableIn(text)
		if rows == nil {
			continue
		}
		if slices.Contains(rows[0], column) {
			return true
		}
		_, value := meaning.NewLexicon(m.maker.values).Meaning(column, "")
		rows[0] = append(rows[0], column)
		for i := range rows[1:] {
			own := value
			if i > 0 { // nobody is in a table twice
				own = strings.Replace(value, "@", strconv.Itoa(i)+"@", 1)
			}
			rows[i+1] = append(rows[i+1], own)
		}
		s := m.spot([]string{name})
		return m.keep(s, m.putFrom(s, tableOf(rows, comma), s.from))
	}
	return false
}

// tableIn reads a table with a line of names and at least one row, nil if a text is none.
func tableIn(text string) (rows [][]string, comma rune) {
	if len(text) > maxTable || strings.Count(text, "\n") < 1 {
		return nil, 0
	}
	for _, comma := range []rune{',', ';', '\t'} {
		if !strings.ContainsRune(text, comma) {
			continue
		}
		r := csv.NewReader(strings.NewReader(text))
		r.Comma = comma
		if rows, err := r.ReadAll(); err == nil && len(rows) > 1 {
			return rows, comma
		}
	}
	return nil, 0
}

func tableOf(rows [][]string, comma rune) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Comma = comma
	_ = w.WriteAll(rows) // into memory
	return b.String()
}
