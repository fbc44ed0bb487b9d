package assess

import (
	"context"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/agents/llmreview"
	"github.com/mcpsf/mcpsf/internal/judge"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// consult asks a model what it makes of the findings. The verdict stays as it
// is; only what the report says of its coverage may be more.
func (o *Options) consult(ctx context.Context, r *mcpsf.Report, events []mcpsf.Event) {
	if o.Judge == nil {
		return
	}
	o.Progress.Step("opinion", "asking "+o.Judge.Name())
	llmreview.Ask(ctx, o.Judge, r, events, nil)
	judge.Conclude(r)
	said := r.SecondOpinion
	if said == nil {
		o.Progress.Done("there is nothing to ask about")
		return
	}
	o.Progress.Done(fmt.Sprintf("%d of %s taken, %s",
		said.Answered, wording.Count(said.Asked, "answer"), wording.Count(len(said.Suspicions), "suspicion")))
}
