package tracing_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/service/job"
)

// role makes the test program the process of a job.
const role = "MCPSF_TEST_ROLE"

func TestMain(m *testing.M) {
	if os.Getenv(role) == "job" {
		child()
		return
	}
	goleak.VerifyTestMain(m)
}

// marker is in all text of the target of a job.
const marker = "zqx"

// child does what the source of its job names.
func child() {
	line, _ := bufio.NewReader(os.Stdin).ReadBytes('\n')
	var t job.Task
	if err := json.Unmarshal(line, &t); err != nil {
		panic(err)
	}
	report := func(l job.Line) {
		text, _ := json.Marshal(l)
		fmt.Println(string(text))
	}
	step := func(name, text string) {
		report(job.Line{Progress: &job.Progress{Step: name, Text: marker + text}})
	}
	band := mcpsf.BandHigh
	switch strings.TrimPrefix(t.Request.Source, "npm:") {
	case "fails":
		step("resolve", "")
		report(job.Line{Failed: &job.Problem{Code: mcpsf.CodeUsage, Message: "there is no " + marker}})
		return
	case "hostile":
		band = mcpsf.Band(marker + "\x1b[31m" + strings.Repeat("x", 10_000))
		for i := range 300 {
			step(marker+fmt.Sprint(i)+"\u202e\n<script>", "")
		}
	default:
		step("resolve", "")
		step("drive", "1 of 2")
		step("drive", "2 of 2")
		step("judge", "")
	}
	if err := os.MkdirAll(t.Output, 0o755); err == nil {
		_ = os.WriteFile(filepath.Join(t.Output, "report.json"), []byte("{}"), 0o600)
	}
	report(job.Line{Done: &job.Result{Name: marker, Version: marker, Digest: marker, Band: band, Tool: marker}})
}
