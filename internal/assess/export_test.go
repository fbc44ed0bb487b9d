package assess

import (
	"context"
	"testing"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// What tests of whole assessments need of the inside.

// followed is a server whose code is followed, without everything else that the
// stress phase does.
type followed struct{ *sandboxedServer }

func (f followed) observe(ctx context.Context) error {
	if err := f.sandboxedServer.observe(ctx); err != nil {
		return err
	}
	return f.main.inParallel(ctx, f.followCodeTasks()...)
}

// FollowCode assesses such a server.
func FollowCode(ctx context.Context, opts *Options) (*Result, error) {
	return assessSubject(ctx, opts, func(a *assessment) subject { return followed{&sandboxedServer{assessment: a}} })
}

// CleverModel is a model that knows one attack on one tool.
func CleverModel(t *testing.T) llm.Model {
	t.Helper()
	return clever(t)
}
