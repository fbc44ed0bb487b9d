package html

// waivedView are findings that the user waived.
type waivedView struct {
	List []waiver
	More int
}

type waiver struct {
	Level, Severity, Title, Message string
	Rule, Reason, Until, File       string
}

// waivedSection shows what was waived.
type waivedSection struct{ *index }

func (b waivedSection) waived() waivedView {
	var v waivedView
	for _, w := range firstOf(b.Report.Waived, maxFindings) {
		f := w.Finding
		view := waiver{
			Level: severityLevel(f.Severity), Severity: b.line(string(f.Severity), 40), Title: b.line(f.Title, maxProse),
			Message: b.line(f.Message, maxProse), Rule: b.line(f.ID, maxName), Reason: b.line(w.Reason, maxProse), File: b.line(w.File, maxName),
		}
		if !w.Until.IsZero() {
			view.Until = day(w.Until)
		}
		v.List = append(v.List, view)
	}
	v.More = len(b.Report.Waived) - len(v.List)
	return v
}
