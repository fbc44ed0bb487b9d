package assess

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/agent"
	"github.com/mcpsf/mcpsf/internal/assess/virtualclock"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// agentTasks start the server for agents that use it together with tools of ours.
func (s *sandboxedServer) agentTasks() []task {
	var tasks []task
	for i := range s.opts.Models.Agents {
		tasks = append(tasks, func(ctx context.Context, p *parallelRun) error { return p.runAgent(ctx, &s.opts.Models.Agents[i]) })
	}
	return tasks
}

func (p *parallelRun) runAgent(ctx context.Context, runner *agent.Runner) error {
	var out *agent.Work
	s := p.server
	plan := &sessionPlan{known: s.first.session, agent: func(ctx context.Context, c *session.AgentClient) error {
		var err error
		world := s.agentWorld(c)
		if n := world.Unused(); n > 0 {
			p.ledger.gap(gap.New(gap.AgentBounds, agent.MaxItems, int64(n)))
		}
		out, err = runner.Run(ctx, world, out)
		return err
	}}
	if err := p.startForAgent(ctx, plan, func() bool { return out != nil && out.Broken() }); err != nil {
		return err
	}
	l := p.ledger
	if out == nil {
		l.gap(gap.New(gap.AgentNotRun, 0, 0))
		return nil
	}
	out.GiveUp(runner)
	l.gap(gap.Detailed(gap.AgentBounds, "what an agent does with longer texts and conversations than it reads"))
	l.gaps = append(l.gaps, gap.All(gap.AgentBrokenOff, out.Lost)...)
	l.agents, l.conversations = append(l.agents, out.Run), append(l.conversations, out.Conversations...)
	for i := range out.Actions {
		l.add(&mcpsf.Event{
			T: seconds(virtualclock.Nanotime() - p.began), Phase: mcpsf.PhaseDrive, Call: out.Steps[i],
			Cause: requestOf(l.log.Events(), out.Steps[i]), Kind: mcpsf.KindAgentAction, Agent: &out.Actions[i],
		})
	}
	return nil
}

// startForAgent starts the server for an agent, and again while a call takes it down
// in a task: the agent then goes on with that task. Calls that took it down before are
// left out.
func (p *parallelRun) startForAgent(ctx context.Context, plan *sessionPlan, broken func() bool) error {
	resume := p.server.first.resume.LeavingOut()
	d, err := p.startOnce(ctx, p.server.chosen, plan, resume)
	for err == nil && broken() && p.goesOn(d, resume) {
		d, err = p.startOnce(ctx, p.server.chosen, plan, resume)
	}
	if err == nil && broken() && !d.session.Initialized {
		p.ledger.gap(notStartedAfterCrash())
	}
	return err
}

// agentWorld returns what the agent has: the server's current tools, arguments
// that its tools accepted in the first session, and the decoy home.
func (s *sandboxedServer) agentWorld(c *session.AgentClient) *agent.World {
	w := &agent.World{
		Server: agentServer{c}, Offer: offerOf(c.Offer()),
		Inputs: map[string]schema.Input{}, Files: s.home.Decoys, Domain: s.home.Domain, Seed: s.opts.Seed,
		Gone: c.Gone,
	}
	first := s.first.session
	for i := range first.Calls {
		c := &first.Calls[i]
		if c.Tool == "" || len(c.Arguments) == 0 {
			continue
		}
		if _, known := w.Inputs[c.Tool]; !known || c.Status == mcpsf.CallOK {
			w.Inputs[c.Tool] = schema.Input{JSON: c.Arguments, Server: c.ServerValues.Inside("/arguments")}
		}
	}
	return w
}

func offerOf(s *mcpsf.Session) agent.Offer {
	return agent.Offer{Instructions: s.Instructions, Tools: s.Tools, Prompts: s.Prompts, Resources: s.Resources}
}

// agentServer is the server as an agent uses it.
type agentServer struct{ client *session.AgentClient }

var _ agent.Server = agentServer{}

func (a agentServer) List(ctx context.Context) (agent.Offer, error) {
	now, err := a.client.List(ctx)
	return offerOf(now), err
}

func (a agentServer) Sample(f func(ctx context.Context, params json.RawMessage) string) {
	a.client.Sample(f)
}

func (a agentServer) Call(ctx context.Context, tool string, input schema.Input) (agent.Answer, error) {
	h, err := a.client.Call(ctx, tool, input)
	return agent.Answer(h), err
}

func (a agentServer) Prompt(ctx context.Context, name string) (agent.Answer, error) {
	h, err := a.client.Prompt(ctx, name)
	return agent.Answer(h), err
}

func (a agentServer) Read(ctx context.Context, uri string) (agent.Answer, error) {
	h, err := a.client.Read(ctx, uri)
	return agent.Answer(h), err
}

// writeConversations writes the agents' conversations.
func (s *sandboxedServer) writeConversations() (err error) {
	if len(s.ledger.conversations) == 0 || s.opts.Output.Conversations == nil {
		return nil
	}
	w, err := s.create(conversationsFile, s.opts.Output.Conversations)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	for i := range s.ledger.conversations {
		line, err := safetext.JSONLine(&s.ledger.conversations[i])
		if err == nil {
			_, err = w.Write(line)
		}
		if err != nil {
			return fmt.Errorf("writing what agents said: %w", err)
		}
	}
	return nil
}
