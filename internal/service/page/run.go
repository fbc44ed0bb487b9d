package page

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/server"
	"github.com/mcpsf/mcpsf/internal/service/store"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// runView is a run: its request, its progress and its result.
type runView struct {
	card

	Facts []fact
	// Live runs have an event stream. An ended one without a report may have
	// live events from before.
	Live, Ended, Cancelling bool
	MayCancel               bool
	// Why is one line about why there is no report.
	Why     string
	Verdict *verdictView
	Files   []fileView
	// Others are further runs of the same package, to compare with.
	Others  []option
	Package string
	Report  string
}

type fact struct{ Name, Value string }

type fileView struct{ Name, Size, Href string }

// option is a run that can be selected.
type option struct{ ID, Text string }

// verdictView is the verdict and the findings of a report.
type verdictView struct {
	Level, Band     string
	Score           int
	Scored, Limited bool
	// Answers are those to both questions, and the confidence.
	Answers         string
	Action, Summary string
	Reasons         []string
	Findings        []findingView
	More            int
	// Problem is why the report cannot be shown.
	Problem string
}

type findingView struct{ Level, Severity, Grade, Rule, Title, Message string }

// maxFindings and maxOthers bound what a page lists; the report has the rest.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxFindings, maxOthers = 25, 50

func (p *pages) run(v *visit) error {
	ctx := v.r.Context()
	j, err := p.api.Jobs.Get(ctx, v.key, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	view := &runView{card: cardOf(j), Facts: factsOf(j), Ended: j.State.Ended(), Cancelling: j.Cancelling, Why: whyNot(j)}
	view.Live = !view.Ended
	view.MayCancel = view.Live && !j.Cancelling && server.May(v.key.Role, job.Submitter)
	if view.Ended {
		if err := p.endOf(ctx, j, view); err != nil {
			return err
		}
	}
	f := frame{Title: view.Title, Here: "run", Body: view}
	if view.Live {
		f.Refresh = 5
	}
	return p.show(v, http.StatusOK, f, "run")
}

// endOf adds the files and the report of a run that has ended.
func (p *pages) endOf(ctx context.Context, j *job.Job, view *runView) error {
	files, err := p.api.Artifacts.List(ctx, j)
	if err != nil {
		return err
	}
	for _, f := range files {
		view.Files = append(view.Files, fileView{line(f.Name, maxName), wording.Size(f.Size), f.Href})
	}
	if j.State != job.Done {
		return nil
	}
	view.Report = "/api/v1/jobs/" + j.ID + "/report"
	view.Package = packageAddress(j.Result.Name)
	if view.Others, err = p.others(ctx, j); err != nil {
		return err
	}
	r, err := p.api.Reports.Load(ctx, j)
	if err != nil {
		// The database still has the verdict.
		view.Verdict = resultOf(j)
		view.Verdict.Problem = "The report cannot be read."
		return ctx.Err()
	}
	view.Verdict = verdictOf(r)
	return nil
}

// others are further runs of the same package, newest first.
func (p *pages) others(ctx context.Context, j *job.Job) ([]option, error) {
	if j.Result.Name == "" {
		return nil, nil
	}
	jobs, err := p.Store.Jobs(ctx, j.Project, &store.Filter{Name: j.Result.Name, State: job.Done, Limit: maxOthers})
	if err != nil {
		return nil, err
	}
	var list []option
	for i := range jobs {
		if o := &jobs[i]; o.ID != j.ID {
			list = append(list, option{o.ID, strings.Join([]string{cmp.Or(line(o.Result.Version, 40), "no version"), line(string(o.Result.Band), maxBand), at(&o.Created).Text}, ", ")})
		}
	}
	return list, nil
}

// whyNot says why there is no report.
func whyNot(j *job.Job) string {
	said := ""
	if j.Problem != nil {
		said = line(j.Problem.Message, maxProse)
	}
	switch j.State {
	case job.Failed:
		return sentence(cmp.Or(said, "the run failed without an error message"))
	case job.Cancelled:
		return "The run was cancelled."
	case job.Quarantined:
		return sentence("quarantined, not tried again: " + cmp.Or(said, "the assessment crashed"))
	}
	return ""
}

func factsOf(j *job.Job) []fact {
	r, o := &j.Request, &j.Request.Options
	var list []fact
	add := func(name, value string) {
		if value != "" {
			list = append(list, fact{name, line(value, maxLine)})
		}
	}
	if res := j.Result; res != nil {
		add("Package", strings.TrimSpace(res.Name+" "+res.Version))
	}
	add("Profile", cmp.Or(r.Profile, "balanced"))
	add("Command", quoteAll(r.Command))
	add("Arguments", quoteAll(r.Args))
	add("Detectors", strings.Join(r.Detectors, ", "))
	add("Environment variables", strings.Join(slices.Sorted(maps.Keys(r.Env)), ", "))
	add("Network", o.Network)
	add("Image", o.Image)
	if o.ScanOnly {
		add("Scope", "static analysis only")
	}
	add("Submitted", at(&j.Created).Text+" UTC")
	add("Duration", took(j))
	if j.Attempt > 1 {
		add("Attempts", strconv.Itoa(j.Attempt)+" (an earlier worker was lost or failed)")
	}
	add("Worker", j.Worker)
	return list
}

// resultOf is the verdict as the database has it.
func resultOf(j *job.Job) *verdictView {
	r := j.Result
	return &verdictView{Level: level(r.Band), Band: line(string(r.Band), maxBand), Score: r.Score, Scored: r.Band != mcpsf.BandInconclusive, Limited: r.Limited()}
}

func verdictOf(r *mcpsf.Report) *verdictView {
	v := &verdictView{
		Level: level(r.Verdict.Band), Band: line(string(r.Verdict.Band), maxBand), Score: r.Verdict.Score, Scored: r.Verdict.Band != mcpsf.BandInconclusive,
		Limited: r.Verdict.Limited() && r.Verdict.Band != mcpsf.BandInconclusive, Answers: sentence(line(strings.Join(summary.Answers(&r.Verdict), ", "), maxLine)),
		Action: sentence(line(r.Verdict.Action, maxLine)), Summary: line(cmp.Or(r.Summary, summary.Of(r)), maxProse),
	}
	for _, s := range r.Verdict.Reasons[:min(len(r.Verdict.Reasons), maxFindings)] {
		v.Reasons = append(v.Reasons, line(s, maxProse))
	}
	for i, f := range summary.MostSevereFirst(r.Findings) {
		if i == maxFindings {
			v.More = len(r.Findings) - i
			break
		}
		v.Findings = append(v.Findings, findingOf(&f))
	}
	return v
}

func findingOf(f *mcpsf.Finding) findingView {
	return findingView{
		Level: severity(f.Severity), Severity: line(string(f.Severity), 40), Grade: line(string(f.Grade), 40), Rule: line(f.ID, maxName),
		Title: line(f.Title, maxLine), Message: line(f.Message, maxProse),
	}
}

func (p *pages) cancel(v *visit) error {
	j, err := p.api.Jobs.Get(v.r.Context(), v.key, v.r.PathValue("id"))
	if err == nil {
		_, err = p.Store.Cancel(v.r.Context(), v.key.Project, j.ID)
	}
	if err != nil {
		return err
	}
	p.redirect(v, "/runs/"+j.ID)
	return nil
}
