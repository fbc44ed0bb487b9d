package assess

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/launch"
	"github.com/mcpsf/mcpsf/internal/assess/plan"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/remote"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// remoteInputs returns values that do not exist on the server's machine.
func remoteInputs(home *decoys.Home) meaning.Values {
	p := launch.Places(home)
	return meaning.Values{Dir: p.Dir, File: p.File, NewFile: p.NewFile, RepoDir: p.Repo, Database: p.Database}
}

// may tells which tools are called: those that declare to change nothing, unless
// the user allows more. The session of the second client calls none.
func (e *remoteServer) may(plan *sessionPlan) func(*mcpsf.Tool) bool {
	switch {
	case plan.known != nil:
		return func(*mcpsf.Tool) bool { return false }
	case e.opts.Remote.Allowed:
		return nil
	}
	return onlyReads
}

// onlyReads tells whether a tool declares, or its name says, that it changes
// nothing. The name counts only if the tool declares nothing.
func onlyReads(tool *mcpsf.Tool) bool {
	var hints struct {
		ReadOnly    *bool `json:"readOnlyHint"`    //nolint:tagliatelle // the protocol has it so
		Destructive *bool `json:"destructiveHint"` //nolint:tagliatelle // likewise
	}
	if tool.Annotations != nil && json.Unmarshal(tool.Annotations, &hints) != nil {
		return false
	}
	if hints.ReadOnly != nil {
		return *hints.ReadOnly
	}
	if hints.Destructive != nil && *hints.Destructive {
		return false
	}
	words := nameWords(tool.Name)
	return verbs().Reads.Any(words) && !verbs().Writes.Any(words)
}

// nameWords splits a name: get_user, getUser and get-user give the same words.
func nameWords(name string) []string {
	// gap: attacks-not-made
	const most = 200
	var b strings.Builder
	for i, r := range name[:min(len(name), most)] {
		if r >= 'A' && r <= 'Z' && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}

// stress connects as another client, and attacks if the user allows it.
func (e *remoteServer) stress(ctx context.Context, first *mcpsf.Session) error {
	if e.opts.Profile.Rounds() > 1 {
		sess, err := e.drive(ctx, &sessionPlan{known: first, since: mcpsf.SinceClient, client: anotherClient()})
		if err != nil {
			return err
		}
		conclude(e.opts.Caller.Progress, sess)
		if !sess.Initialized {
			e.ledger.gap(gap.Detailed(gap.RemoteClients, "what it says to another client: that one was not let in"))
		}
	}
	if e.attacks() {
		return e.attack(ctx, first)
	}
	return nil
}

// attacks tells whether the user wants and is allowed to attack the server.
func (e *remoteServer) attacks() bool {
	return e.opts.Profile == plan.Aggressive && e.opts.Remote.Allowed
}

// remoteAttacks is how many attacks a server that runs elsewhere gets, and for
// how long.
const (
	remoteAttacks    = 600
	remoteAttackTime = 5 * time.Minute
)

// attack makes the attacks whose success shows in the answer, because nothing
// else of the server can be observed.
func (e *remoteServer) attack(ctx context.Context, first *mcpsf.Session) error {
	inputs := remoteInputs(e.home)
	calls := attackCalls(e.opts, first, inputs, attack.New(e.opts.Seed, inputs.Dir), 10*remoteAttacks)
	calls = slices.DeleteFunc(calls, func(c attackplan.AttackCall) bool {
		return c.Attack.Sign != mcpsf.SignAnswer && c.Attack.Sign != mcpsf.SignEcho
	})
	calls = calls[:min(len(calls), remoteAttacks)]
	if len(calls) == 0 {
		return nil
	}
	e.opts.Caller.Progress.Step("attack", wording.Count(len(calls), "call"))
	sess, err := e.drive(ctx, &sessionPlan{attacks: calls, until: e.opts.Caller.Now().Add(remoteAttackTime)})
	if err != nil {
		return err
	}
	conclude(e.opts.Caller.Progress, sess)
	e.ledger.planned, e.ledger.unmade = len(calls), len(calls)-min(plan.AttacksMade(sess), len(calls))
	if e.ledger.unmade > 0 {
		e.ledger.gap(gap.New(gap.AttacksNotMade, int64(e.ledger.planned), int64(e.ledger.unmade)))
	}
	return nil
}

// check examines how the server protects itself.
func (e *remoteServer) check(ctx context.Context, sess *mcpsf.Session) error {
	e.opts.Caller.Progress.Step("check", "credentials, web pages of strangers, sessions, other clients")
	credentials := maps.Clone(e.opts.Remote.Header)
	if e.login != nil && e.login.Token() != "" {
		if credentials == nil {
			credentials = http.Header{}
		}
		credentials.Set("Authorization", "Bearer "+e.login.Token())
	}
	told, err := remote.Check(ctx, e.bare, e.address.String(), &remote.Options{
		Credentials: credentials, Private: e.opts.Remote.Private, Nonce: fmt.Sprintf("m%08x", uint32(e.opts.Seed)), Call: harmless(sess),
	})
	weak := 0
	for _, d := range told {
		e.mon.Checked(d)
		if d.Weak {
			weak++
		}
	}
	if len(told) <= 1 && err == nil {
		e.ledger.gap(gap.New(gap.RemoteProbes, 0, 0))
	}
	e.opts.Caller.Progress.Done(fmt.Sprintf("%s, %d of them not as they should be", wording.Count(len(told), "check"), weak))
	return err
}

// harmless returns a call that succeeded and that may be repeated, or one that only
// the words of its result refused.
func harmless(s *mcpsf.Session) *remote.Call {
	tools := map[string]*mcpsf.Tool{}
	for i := range s.Tools {
		tools[s.Tools[i].Name] = &s.Tools[i]
	}
	var refused *remote.Call
	for _, c := range s.Calls {
		tool := tools[c.Tool]
		if tool == nil || !onlyReads(tool) {
			continue
		}
		call := &remote.Call{Tool: c.Tool, Arguments: c.Arguments}
		if c.Status == mcpsf.CallOK {
			return call
		}
		if c.Unmarked && refused == nil {
			refused = call
		}
	}
	return refused
}

// checkLogin reports whether the server's login metadata is consistent.
func (e *remoteServer) checkLogin() {
	if e.login == nil {
		return
	}
	found := e.login.Discovery()
	for _, d := range found.Check(e.address.String()) {
		d.URL, d.Private = e.shown, e.opts.Remote.Private
		e.mon.Checked(d)
	}
}
