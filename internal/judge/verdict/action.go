package verdict

import "github.com/mcpsf/mcpsf"

// action says what to do. A server that attacks its user is blocked; one that
// can be attacked is restricted, and its author told.
func action(v *mcpsf.Verdict, c *mcpsf.Coverage) string {
	switch {
	case v.Band == mcpsf.BandInconclusive:
		return noVerdict(c)
	case v.Band == mcpsf.BandPass && c.Static:
		return "assess it: the static scan found nothing severe"
	case v.Band == mcpsf.BandPass:
		return "deploy"
	case v.Band == mcpsf.BandLow:
		return "deploy with monitoring"
	case v.Decides == mcpsf.CategoryWeakness:
		return restrict(v.Band)
	}
	return block(v.Band)
}

func noVerdict(c *mcpsf.Coverage) string {
	switch {
	case c.Static:
		return "no verdict: the scan was incomplete; fix what is named and scan again"
	case c.Remote:
		return "no verdict: the server runs remotely, so only its answers and its interface were tested"
	}
	return "no verdict: the run was incomplete; fix what is named and run again"
}

func block(b mcpsf.Band) string {
	switch b {
	case mcpsf.BandCritical:
		return "do not deploy"
	case mcpsf.BandHigh:
		return "block it"
	}
	return "block it until its behaviour is explained"
}

func restrict(b mcpsf.Band) string {
	switch b {
	case mcpsf.BandCritical:
		return "isolate it: nobody untrusted may reach it; tell the author"
	case mcpsf.BandHigh:
		return "restrict it to trusted input, and tell the author"
	}
	return "restrict what it can reach, and tell the author"
}
