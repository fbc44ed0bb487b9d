package assess

import (
	"context"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llmreview"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// review asks a model for its opinion on the findings. The verdict does not
// change; only the coverage in the report may get an entry.
func (a *assessment) review(ctx context.Context, r *mcpsf.Report, events []mcpsf.Event) {
	model, tell := a.opts.Models.Reviewer, a.opts.Caller.Progress
	if model == nil {
		return
	}
	tell.Step("review", "asking "+model.Name())
	llmreview.Ask(ctx, model, r, events, nil)
	judge.Conclude(r)
	said := r.SecondOpinion
	if said == nil {
		tell.Done("there is nothing to ask about")
		return
	}
	tell.Done(fmt.Sprintf("%d of %s taken, %s",
		said.Answered, wording.Count(said.Asked, "answer"), wording.Count(len(said.Suspicions), "suspicion")))
}
