package published

import (
	"testing"
	"time"
)

func TestParsePublished(t *testing.T) {
	for in, want := range map[string]string{
		"2024-11-20T11:37:34.333286Z":         "2024-11-20T11:37:34.333286Z",
		"2025-10-02T01:44:30.071000+02:00":    "2025-10-01T23:44:30.071Z",
		"2024-11-20T11:37:34":                 "",
		"yesterday":                           "",
		"":                                    "",
		"1970-01-01T00:00:00Z":                "",
		"0001-01-01T00:00:00Z":                "",
		"9999-12-31T23:59:59-01:00":           "", // the year 10000 cannot be written down
		"2024-11-20T11:37:34." + zeros + "1Z": "",
	} {
		got := ""
		if date := Date(in); !date.IsZero() {
			got = date.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"
