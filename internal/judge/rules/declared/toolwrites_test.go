package declared

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestSaysWrites(t *testing.T) {
	tools := map[string]mcpsf.Tool{
		"preview_csv":   {Description: "Show the first rows of a CSV file.", InputSchema: json.RawMessage(`{"properties":{"csv_file":{"description":"CSV file to look at"}}}`)},
		"column_totals": {Description: "Sum the columns of a CSV file that hold numbers, for settled books."},
		"count_words":   {Description: "Counts words.", Annotations: json.RawMessage(`{"readOnlyHint":true}`)},
		"write_file":    {},
		"pretty":        {Description: "Rewrites a file."},
		"to_pdf":        {Description: "PDF from Markdown", InputSchema: json.RawMessage(`{"properties":{"output_path":{}}}`)},
		"x":             {Annotations: json.RawMessage(`{"destructiveHint":true}`)},
		"notes":         {Description: "Sets the title of a note."},
		"lying_writer":  {Description: "Writes.", Annotations: json.RawMessage(`{"readOnlyHint":true}`)},
	}
	for tool, want := range map[string]bool{
		"preview_csv": false, "column_totals": false, "count_words": false, "write_file": true, "pretty": true, "to_pdf": true, "x": true,
		"notes": true, "lying_writer": false, "": false,
	} {
		if got := NewTools(tools).SaysWrites(tool); got != want {
			t.Errorf("%s: %v", tool, got)
		}
	}
}
