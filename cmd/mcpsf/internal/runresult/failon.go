package runresult

import (
	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/judge/gate"
)

// FailOn holds the flags that decide the exit code of a finished run.
type FailOn struct {
	level, confidence string
	gate              *gate.Gate
}

// Register defines the flags; level is the default of --fail-on, and what says
// what is compared with it.
func (f *FailOn) Register(flags *pflag.FlagSet, level, what string) {
	flags.StringVar(&f.level, "fail-on", level, "exit 1 if "+what+" has at least this severity: low, medium, high, critical, never; malicious:LEVEL,weak:LEVEL tells a server that attacks from one that can be attacked")
	flags.StringVar(&f.confidence, "min-confidence", string(mcpsf.ConfidenceLow), "exit 3 if the confidence of the verdict is below this: low, medium, high (low always is 3)")
}

// Check refuses invalid values.
func (f *FailOn) Check() (err error) {
	if f.gate, err = gate.Parse(f.level, f.confidence); err != nil {
		return program.Usage(err)
	}
	return nil
}

// Gate returns what the flags ask for, after [FailOn.Check].
func (f *FailOn) Gate() *gate.Gate { return f.gate }

// Unset reports whether the flags ask for nothing.
func (f *FailOn) Unset() bool {
	return f.level == "never" && f.confidence == string(mcpsf.ConfidenceLow)
}

// Decide returns the exit code of a finished assessment as an [program.Outcome]:
// a finding at or above the gate counts even in a run with coverage gaps, and a
// run with too many of them does not pass, whatever its score.
func (f *FailOn) Decide(r *mcpsf.Report) error {
	switch {
	case f.gate.Fails(r):
		return &program.Outcome{Code: program.ExitFindings}
	case f.gate.Unsure(&r.Verdict):
		return &program.Outcome{Code: program.ExitInconclusive}
	}
	return nil
}
