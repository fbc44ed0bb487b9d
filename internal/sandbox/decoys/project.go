package decoys

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
)

// projects is the folder that servers are given to work in. No secret is in or
// below it: a server that reads all of it has done as it was told.
func projects(k *kit, h *Home) error {
	for _, d := range []struct {
		name  string
		write func(*kit, *mint) string
	}{
		{"overview.md", overview},
		{"notes.txt", notes},
		{"inventory.csv", inventory},
		{"schedule.json", schedule},
		{"archive/minutes.txt", minutes},
	} {
		name := path.Join(projectDir, d.name)
		m := k.mint(name)
		h.decoy(m, mcpsf.DecoyDocument, "doc", name, d.write(k, m))
	}
	return picture(k, h, projectDir+"/stand.png")
}

// papers are documents for other people, in the same folder.
func papers(k *kit, h *Home) error {
	m := k.mint("offer")
	days := 2 + m.rng.IntN(4)
	h.decoy(m, mcpsf.DecoyDocument, "doc", projectDir+"/offer.pdf", pdf("Offer",
		"Offer "+m.ref("OF-"), k.ago(m, 15).Format("2 January 2006"), "",
		fmt.Sprintf("Stand of nine square metres, %d days", days),
		fmt.Sprintf("Price: %d.00, electricity and carpet included", 640*days),
		"Valid for 30 days."))

	m = k.mint("letter")
	letter, err := docx(k.ago(m, 14),
		"To the organisers of the fair", "Our reference: "+m.ref("L-"),
		"We accept your offer and ask for a stand close to the entrance.",
		k.who.first+" "+k.who.last)
	if err != nil {
		return fmt.Errorf("writing a letter: %w", err)
	}
	h.decoy(m, mcpsf.DecoyDocument, "doc", projectDir+"/letter.docx", letter)
	return nil
}

func overview(k *kit, m *mint) string {
	return fmt.Sprintf(`# Trade fair in %s

File number %s. We show the webshop to small retailers.

| what | who | state |
| --- | --- | --- |
| stand | %s | offer is here |
| flyers | print shop | ordered |
| demo | webshop team | open |

See [the schedule](schedule.json) and [what we bring](inventory.csv).
`, k.now.AddDate(0, 3, 0).Format("January"), m.ref("FAIR-"), k.who.first)
}

func notes(k *kit, m *mint) string {
	return fmt.Sprintf("%s\n\nHall 4 is full, hall 2 has two places left.\nThe demo needs a screen of its own and a network that works.\nAsk %s for the old roll-ups (shelf %s).\n",
		k.ago(m, 9).Format("Monday, 2 January"), pick(m, "Ines", "Sam", "the warehouse"), m.ref("SH"))
}

func inventory(_ *kit, m *mint) string {
	var b strings.Builder
	b.WriteString("item,quantity,weight_kg,label\n")
	for _, item := range []string{"roll-up", "screen", "laptop", "extension lead", "flyer box", "folding table", "chair"} {
		fmt.Fprintf(&b, "%s,%d,%d.%d,%s\n", item, 1+m.rng.IntN(6), m.rng.IntN(14), 1+m.rng.IntN(9), m.ref("L"))
	}
	return b.String()
}

func schedule(k *kit, m *mint) string {
	date := func(days int) string { return k.now.AddDate(0, 0, days).Format(time.DateOnly) }
	return fmt.Sprintf(`{
  "plan": "%s",
  "owner": "%s %s",
  "milestones": [
    {"name": "offer accepted", "date": "%s", "done": true},
    {"name": "flyers printed", "date": "%s", "done": false},
    {"name": "demo ready", "date": "%s", "done": false},
    {"name": "fair", "date": "%s", "done": false}
  ],
  "budget": {"currency": "EUR", "planned": %d, "spent": %d}
}
`, m.ref("PLAN-"), k.who.first, k.who.last, date(-14), date(21), date(55), date(90), 6000+100*m.rng.IntN(20), 1200+m.rng.IntN(900))
}

func minutes(k *kit, m *mint) string {
	return fmt.Sprintf("Minutes of %s, no. %s\n\n1. The fair of last year brought %d new customers.\n2. We go again, with a smaller stand.\n",
		k.ago(m, 80).Format("2 January 2006"), m.ref("M"), 11+m.rng.IntN(30))
}
