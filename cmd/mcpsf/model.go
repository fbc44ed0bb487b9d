package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/agent"
	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/report"
)

// recordName is the file with what a model was asked and answered.
const recordName = "models.jsonl"

// modelFlags say which agents use the server, which model attacks it, and what
// that may cost.
type modelFlags struct {
	agent                          bool
	name, url, key, budget, replay string
	runs                           int
	// left is what the model may still take, over all servers.
	left *llm.Budget
}

func (f *modelFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.agent, "agent", false, "let an agent use it that obeys what it reads, and prove what the server's texts make it do")
	flags.StringVar(&f.name, "llm", "", "language model that uses the server as an agent, proposes attacks and reviews the findings (default: none):\nPROVIDER/MODEL, such as anthropic/claude-sonnet-5-5, openai/NAME, groq/NAME, ollama/NAME, local")
	flags.StringVar(&f.url, "llm-url", "", "URL of the model API, if not the provider's own")
	flags.StringVar(&f.key, "api-key", "", "API key for the model (default: MCPSF_LLM_KEY, or the provider's own variable)")
	flags.StringVar(&f.budget, "llm-budget", "500k", "limit for the model: tokens (200k), dollars ($2.50), or both (200k,$2.50)")
	flags.IntVar(&f.runs, "llm-runs", 3, "how often each conversation with the model is repeated")
	flags.StringVar(&f.replay, "llm-replay", "", "replay the answers in models.jsonl of an earlier run instead of asking a model")
}

// wanted tells whether anybody is to use the server.
func (f *modelFlags) wanted() bool { return f.agent || f.name != "" || f.replay != "" }

// prepare checks the flags, and takes the seed of the run that is replayed:
// without it the questions would be others.
func (f *modelFlags) prepare(seed *uint64) (err error) {
	if !f.wanted() {
		return nil
	}
	if f.left, err = llm.ParseBudget(f.budget); err != nil {
		return err
	}
	switch {
	case f.name != "" && f.replay != "":
		return usage(errors.New("--llm and --llm-replay exclude each other: a replay asks no model"))
	case f.runs < 1 || f.runs > 100:
		return usage(fmt.Errorf("--llm-runs takes 1 to 100, not %d", f.runs))
	case f.replay == "" || *seed != 0:
		return nil
	}
	return seedOf(f.replay, seed)
}

// seedOf takes the seed from the report beside a record.
func seedOf(record string, seed *uint64) error {
	data, err := os.ReadFile(filepath.Join(filepath.Dir(record), report.FileName))
	var r mcpsf.Report
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return usage(fmt.Errorf("there is no report.json beside %s to take the seed from; give it with --seed", record))
	}
	*seed = r.Run.Seed
	return nil
}

// engage adds the agents of one run to its options, the model that proposes
// payloads and the one that is asked what it makes of the run. What a model says is recorded in out until closing is called.
func (f *modelFlags) engage(a *app, out *outputDir, opts *assess.Options) (closing func() error, err error) {
	nothing := func() error { return nil }
	if !f.wanted() {
		return nothing, nil
	}
	each := 1
	if opts.Profile == assess.Aggressive {
		each = 5
	}
	opts.Agents = []agent.Runner{{PerVector: each}}
	if f.name == "" && f.replay == "" {
		return nothing, nil
	}
	m, err := f.model(a)
	if err != nil {
		return nil, err
	}
	record := &lazyFile{open: func() (io.WriteCloser, error) { return out.file(recordName) }}
	opts.Judge = llm.Record(m, record, time.Now)
	opts.Agents = append(opts.Agents, agent.Runner{Model: opts.Judge, Runs: f.runs, PerVector: each})
	if f.replay == "" { // they are proposed first, and the agent is to have something left
		m = llm.WithBudget(m, f.left.Half())
	}
	opts.Payloads = llm.Record(m, record, time.Now)
	return record.Close, nil
}

// model is the one that was named, or what it answered before.
func (f *modelFlags) model(a *app) (llm.Model, error) {
	if f.replay != "" {
		file, err := os.Open(f.replay)
		if err != nil {
			return nil, usage(fmt.Errorf("--llm-replay: %w", err))
		}
		defer file.Close()
		return llm.Replay(file)
	}
	spec, err := llm.Parse(f.name)
	if err != nil {
		return nil, err
	}
	m, err := llm.New(spec, &llm.Options{Key: f.key, BaseURL: f.url, Getenv: a.getenv})
	if err != nil {
		return nil, err
	}
	if err := f.left.Check(m); err != nil {
		return nil, err
	}
	return llm.WithBudget(m, f.left), nil
}

// lazyFile is made when something is written to it.
type lazyFile struct {
	open func() (io.WriteCloser, error)
	mu   sync.Mutex
	file io.WriteCloser
}

func (l *lazyFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		var err error
		if l.file, err = l.open(); err != nil {
			return 0, err
		}
	}
	return l.file.Write(p)
}

func (l *lazyFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
