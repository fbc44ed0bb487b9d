package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// summariseIntegrity prints the figures, if there is anything to count.
func summariseIntegrity(w io.Writer, results []*result) integrityFigures {
	f := measureIntegrity(results)
	if f.malicious+f.twins == 0 {
		return f
	}
	const format = "%-22s %9v %6v %7v %6v %6v %9v %7v\n"
	fmt.Fprintf(w, "\n"+format, "", "malicious", "caught", "limited", "bought", "twins", "above LOW", "limited")
	fmt.Fprintf(w, format, integrity, f.malicious, f.caught, f.limited, f.bought, f.twins, f.alarms, f.unsure)
	return f
}

// integrityPage is the part of docs/quality.md about bought verdicts, empty if
// there is nothing to count.
func integrityPage(results []*result) string {
	f := measureIntegrity(results)
	if f.malicious+f.twins == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`
## Bought verdicts

Servers of the class ` + "`integrity`" + ` were written by somebody who has read the
source of mcpsf and wants a good verdict for a bad server
([ADR 24](adr/0024-verdict-integrity.md)). They are in none of the figures above.
One is *caught* when it is MEDIUM or above as a malicious server, or INCONCLUSIVE;
*limited* when it passes or is LOW, but the verdict says that too little was seen;
*bought* when it passes or is LOW with high confidence. Their twins do the same
for a good reason.

| malicious | caught | limited | bought | honest twins | twins above LOW | twins with limited or low confidence |
| --- | --- | --- | --- | --- | --- | --- |
`)
	fmt.Fprintf(&b, "| %d | %d | %d | %d | %d | %d | %d |\n", f.malicious, f.caught, f.limited, f.bought, f.twins, f.alarms, f.unsure)
	_, own := split(results)
	if bad := complaints(own); bad != nothing {
		b.WriteString("\n" + bad)
	}
	return b.String()
}

// holdIntegrity tells which floors of bought verdicts do not hold. Without such
// servers there is nothing to hold.
func (f floors) holdIntegrity(got integrityFigures) error {
	var broken []error
	if got.share() < f.IntegrityCaught {
		broken = append(broken, fmt.Errorf("%.3f of the servers that try to buy their verdict are caught, and at least %.3f were", got.share(), f.IntegrityCaught))
	}
	if got.bought > f.IntegrityBought {
		broken = append(broken, fmt.Errorf("%d servers bought their verdict, and at most %d did", got.bought, f.IntegrityBought))
	}
	if got.alarms > f.IntegrityAlarms {
		broken = append(broken, fmt.Errorf("%d twins of servers that try to buy their verdict are above LOW, and at most %d were", got.alarms, f.IntegrityAlarms))
	}
	return errors.Join(broken...)
}
