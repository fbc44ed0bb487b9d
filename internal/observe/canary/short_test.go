package canary

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"testing"
)

// A long run of one byte is searched only in part, and what follows it is found.
func TestWriteShort(t *testing.T) {
	secret := "wJalrK7MDENGbPxRfiCYzEXAMPLEK3Yq8vT2nLd0"
	set, err := Compile([]Mark{{ID: "m", Value: []byte(secret)}})
	if err != nil {
		t.Fatal(err)
	}
	flood := bytes.Repeat([]byte("x"), 1<<20)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write(make([]byte, 1<<20))
	_, _ = z.Write([]byte(secret))
	_ = z.Close()
	for name, tt := range map[string]struct {
		data []byte
		most int64
	}{
		"a flood":                      {append(bytes.Clone(flood), " "+secret...), longestRun + 64},
		"two floods":                   {append(append(bytes.Clone(flood), "ab"+string(bytes.Repeat([]byte("y"), 9999))...), " "+secret...), 2*longestRun + 64},
		"runs inside compressed data":  {zipped.Bytes(), int64(zipped.Len())},
		"the same in base64":           {[]byte(base64.StdEncoding.EncodeToString(zipped.Bytes())), int64(2 * zipped.Len())},
		"no run that is long enough":   {append(flood[:longestRun:longestRun], " "+secret...), longestRun + 64},
		"a flood of another byte":      {append(bytes.Repeat([]byte{0xff}, 1<<20), " "+secret...), longestRun + 64},
		"bytes that are no text":       {append(bytes.Repeat([]byte{0xfe, 0xff}, longestRun), " "+secret...), 2*longestRun + 64},
		"a secret between short words": {[]byte("a " + secret + " b"), 64},
	} {
		st := set.Stream(nil)
		hits := append(st.WriteShort(tt.data), st.Close()...)
		if len(hits) != 1 || st.size > tt.most {
			t.Errorf("%s: %d hits, %d bytes searched of %d", name, len(hits), st.size, len(tt.data))
		}
	}
}
