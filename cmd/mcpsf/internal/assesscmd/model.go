package assesscmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/agents/agent"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/report"
)

// recordName is the file with the requests to a model and its replies.
const recordName = "models.jsonl"

// modelFlags are about which agents use the server, which model attacks it, and
// how much that may cost.
type modelFlags struct {
	agent                          bool
	name, url, key, budget, replay string
	runs                           int
	// left is the rest of the budget, for all servers together.
	left *llm.Budget
}

func (f *modelFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.agent, "agent", false, "let an agent use it that obeys what it reads, and prove what the server's texts make it do")
	flags.StringVar(&f.name, "llm", "", "language model that uses the server as an agent, proposes attacks and reviews the findings (default: none):\nPROVIDER/MODEL, such as anthropic/claude-sonnet-5-5, openai/NAME, groq/NAME, ollama/NAME, local")
	flags.StringVar(&f.url, "llm-url", "", "URL of the model API, if not the provider's own")
	flags.StringVar(&f.key, "api-key", "", "API key for the model (default: MCPSF_LLM_KEY, or the provider's own variable)")
	flags.StringVar(&f.budget, "llm-budget", "500k", "limit for the model: tokens (200k), dollars ($2.50), or both (200k,$2.50)")
	flags.IntVar(&f.runs, "llm-runs", 3, "how often each conversation with the model is repeated")
	flags.StringVar(&f.replay, "llm-replay", "", "replay the answers in models.jsonl of an earlier run instead of asking a model")
}

// wanted says whether an agent is to use the server.
func (f *modelFlags) wanted() bool { return f.agent || f.name != "" || f.replay != "" }

// prepare checks the flags, and takes the seed of a replayed run: with another
// seed the requests would differ.
func (f *modelFlags) prepare(seed *uint64) (err error) {
	if !f.wanted() {
		return nil
	}
	if f.left, err = llm.ParseBudget(f.budget); err != nil {
		return err
	}
	switch {
	case f.name != "" && f.replay != "":
		return program.Usage(errors.New("--llm and --llm-replay exclude each other: a replay asks no model"))
	case f.runs < 1 || f.runs > 100:
		return program.Usage(fmt.Errorf("--llm-runs takes 1 to 100, not %d", f.runs))
	case f.replay == "" || *seed != 0:
		return nil
	}
	return seedOf(f.replay, seed)
}

// seedOf reads the seed from the report beside a record.
func seedOf(record string, seed *uint64) error {
	data, err := os.ReadFile(filepath.Join(filepath.Dir(record), report.FileName))
	var r mcpsf.Report
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return program.Usage(fmt.Errorf("there is no report.json beside %s to take the seed from; give it with --seed", record))
	}
	*seed = r.Run.Seed
	return nil
}

// models are the agents of one run, the model that proposes payloads and the
// one that reviews the findings.
type models struct {
	agents          []agent.Runner
	payloads, judge llm.Model
	// record has the requests to a model and its replies; nil without a model.
	record *lazyFile
}

func (m *models) close() error {
	if m.record == nil {
		return nil
	}
	return m.record.Close()
}

// open makes the models of one run. Their replies are recorded in out until
// they are closed.
func (f *modelFlags) open(getenv func(string) string, profile plan.Profile, out *outputDir) (models, error) {
	if !f.wanted() {
		return models{}, nil
	}
	each := 1
	if profile == plan.Aggressive {
		each = 5
	}
	obedient := agent.Runner{PerVector: each}
	if f.name == "" && f.replay == "" {
		return models{agents: []agent.Runner{obedient}}, nil
	}
	m, err := f.model(getenv)
	if err != nil {
		return models{}, err
	}
	record := &lazyFile{open: func() (io.WriteCloser, error) { return out.file(recordName) }}
	judge := llm.Record(m, record, time.Now)
	if f.replay == "" { // payloads are proposed first, and must leave budget for the agent
		m = llm.WithBudget(m, f.left.Half())
	}
	return models{
		agents:   []agent.Runner{obedient, {Model: judge, Runs: f.runs, PerVector: each}},
		payloads: llm.Record(m, record, time.Now), judge: judge, record: record,
	}, nil
}

// model is the named model, or its recorded replies.
func (f *modelFlags) model(getenv func(string) string) (llm.Model, error) {
	if f.replay != "" {
		file, err := os.Open(f.replay)
		if err != nil {
			return nil, program.Usage(fmt.Errorf("--llm-replay: %w", err))
		}
		defer file.Close()
		return llm.Replay(file)
	}
	spec, err := llm.Parse(f.name)
	if err != nil {
		return nil, err
	}
	m, err := llm.New(spec, &llm.Options{Key: f.key, BaseURL: f.url, Getenv: getenv})
	if err != nil {
		return nil, err
	}
	if err := f.left.Check(m); err != nil {
		return nil, err
	}
	return llm.WithBudget(m, f.left), nil
}
