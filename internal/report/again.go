package report

import (
	"bytes"

	"github.com/mcpsf/mcpsf"
)

// Again writes a file that [SaveAs] made once more. It returns every form that the
// file can have: the timeline differs with --explain. A name that SaveAs does not
// write has none.
func Again(name string, r *mcpsf.Report, events []mcpsf.Event) ([][]byte, error) {
	var ways [][]byte
	for _, f := range All() {
		if FileOf(f) != name {
			continue
		}
		for _, style := range []Style{{Unicode: true}, {Unicode: true, Explain: true}} {
			var buf bytes.Buffer
			if err := Write(&buf, f, r, events, style); err != nil {
				return nil, err
			}
			if ways = append(ways, buf.Bytes()); f != FormatTimeline {
				break
			}
		}
	}
	return ways, nil
}
