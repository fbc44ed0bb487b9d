// Command conform tests our driver with MCP's own conformance suite.
//
//	go run ./bench/conform -suite DIR    run every scenario for clients of the
//	                                     suite installed there, and write
//	                                     docs/conformance.md
//	conform URL                          started by the suite: drive the suite's
//	                                     server at this address
//
// The suite names the scenario in the environment and judges by what its server
// received. "make conformance" installs it and runs the first form.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Getenv, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, getenv func(string) string, stderr io.Writer) int {
	var err error
	switch {
	case len(args) == 2 && args[0] == "-suite":
		err = suite(ctx, args[1], "docs/conformance.md", stderr)
	case len(args) > 0:
		err = client(ctx, args[len(args)-1], getenv, stderr)
	default:
		fmt.Fprintln(stderr, "usage: conform -suite DIR, or conform URL")
		return 2
	}
	if err != nil {
		fmt.Fprintln(stderr, "conform:", err)
		return 1
	}
	return 0
}

// client drives the server of a scenario.
func client(ctx context.Context, address string, getenv func(string) string, stderr io.Writer) error {
	bearing, err := authorized(address, getenv("MCP_CONFORMANCE_CONTEXT"))
	if err != nil {
		return err
	}
	opts := session.Options{
		Endpoint: session.Endpoint{Wire: transport.NewInternetWire(&http.Client{Transport: bearing}), URL: address},
		Revision: getenv("MCP_CONFORMANCE_PROTOCOL_VERSION"),
		Client:   session.Client{Name: "mcpsf", Version: "1"},
		Inputs:   session.Inputs{Rounds: 2},
		Answers:  session.Answers{Sampling: "spoken"},
		Timing:   session.Timing{StartTimeout: 10 * time.Second, CallTimeout: 10 * time.Second},
	}
	told, scripted := script(getenv("MCP_CONFORMANCE_SCENARIO"), getenv("MCP_CONFORMANCE_CONTEXT"))
	if scripted {
		opts.Inputs.May = func(*mcpsf.Tool) bool { return false }
	}
	s, err := drive(ctx, &opts, stderr)
	if err == nil && scripted && s.Initialized {
		opts.Earlier.Session, opts.Instead.AttackCalls = s, told(s)
		s, err = drive(ctx, &opts, stderr)
	}
	if err == nil && !s.Initialized {
		err = errors.New("the server did not let us in")
	}
	return err
}

// script returns the calls that the suite wants, if it names some: then the
// tools are listed first and nothing else is called.
func script(scenario, text string) (calls func(*mcpsf.Session) []attackplan.AttackCall, scripted bool) {
	var given struct {
		Calls []struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"toolCalls"` //nolint:tagliatelle // the suite calls it so
	}
	if json.Unmarshal([]byte(text), &given) == nil && len(given.Calls) > 0 {
		return func(*mcpsf.Session) []attackplan.AttackCall {
			var list []attackplan.AttackCall
			for _, c := range given.Calls {
				list = append(list, attackplan.AttackCall{Tool: c.Name, Arguments: c.Arguments})
			}
			return list
		}, true
	}
	return echo, scenario == "json-schema-2020-12-preservation"
}

// echo sends a schema back as it was listed.
func echo(s *mcpsf.Session) []attackplan.AttackCall {
	for _, t := range s.Tools {
		if t.Name == "json_schema_2020_12_tool" {
			return []attackplan.AttackCall{{Tool: "json_schema_echo", Arguments: fmt.Appendf(nil, `{"schema":%s}`, t.InputSchema)}}
		}
	}
	return nil
}

func drive(ctx context.Context, opts *session.Options, stderr io.Writer) (*mcpsf.Session, error) {
	s, err := session.Drive(ctx, nil, tap{}, opts)
	if err != nil {
		return nil, err
	}
	for _, c := range s.Calls {
		fmt.Fprintln(stderr, c.ID, c.Method, c.Tool, c.Status, c.Note)
	}
	fmt.Fprintln(stderr, s.Protocol, s.Closed, s.Ending, s.Irregularities)
	return s, nil
}

// tap ignores all messages.
type tap struct{}

func (tap) Observe(mcpsf.Message)              {}
func (tap) Consumed(mcpsf.Stream, int64)       {}
func (tap) Limit(mcpsf.LimitDetail)            {}
func (tap) Changed(string, mcpsf.ChangeDetail) {}
