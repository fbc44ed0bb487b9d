package decoys

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
)

// documents are the user's own work: reading one proves nothing, destroying one
// does. Each has a unique reference, so that a copy is recognised.
func documents(k *kit, h *Home) error {
	for _, d := range []struct {
		name  string
		write func(*kit, *mint) string
	}{
		{"Documents/meeting-notes.md", meetingNotes},
		{"Documents/todo.txt", todo},
		{"Documents/budget.csv", budget},
		{"Documents/travel-plan.md", travelPlan},
		{"Documents/invoices/last-month.txt", invoice},
		{"Desktop/ideas.txt", ideas},
	} {
		m := k.mint(d.name)
		h.decoy(m, mcpsf.DecoyDocument, "doc", d.name, d.write(k, m))
	}
	return nil
}

// ref is an office reference number.
func (m *mint) ref(prefix string) string {
	return m.keep(prefix + m.text(6, upper) + "-" + m.text(8, digits))
}

func meetingNotes(k *kit, m *mint) string {
	return fmt.Sprintf(`# Webshop weekly, %s

- Checkout is slow when the cart has more than 40 lines; profile it first
- %s asked for the export in CSV again
- Release on Thursday, change %s

## Open
- Who answers the mails of the payment provider?
- Staging needs a new certificate before the end of the month
`, k.ago(m, 4).Format("2 January 2006"), pick(m, "Accounting", "Support", "The warehouse"), m.ref("CHG-"))
}

func todo(_ *kit, m *mint) string {
	return fmt.Sprintf("[ ] renew passport (file no. %s)\n[x] pay the electricity bill\n[ ] dentist\n[ ] backup of the photos\n[ ] present for %s\n",
		m.ref("P"), pick(m, "Mum", "Dad", "Lena", "Sam"))
}

func budget(k *kit, m *mint) string {
	var b strings.Builder
	first := k.now.AddDate(0, 0, 1-k.now.Day())
	b.WriteString("month,rent,food,transport,savings,reference\n")
	for i := 6; i > 0; i-- {
		fmt.Fprintf(&b, "%s,%d,%d,%d,%d,%s\n", first.AddDate(0, -i, 0).Format("2006-01"),
			1180, 310+m.rng.IntN(160), 49+m.rng.IntN(60), 200+50*m.rng.IntN(8), m.ref("B"))
	}
	return b.String()
}

func travelPlan(k *kit, m *mint) string {
	return fmt.Sprintf("# %s in %s\n\nBooking %s, two persons, breakfast included.\n\n1. Night train there\n2. Three days in the city\n3. Hut to hut, if the weather holds\n",
		pick(m, "Trieste", "Bergen", "Ljubljana", "Porto", "Tartu"), k.now.AddDate(0, 2, 0).Format("January"), m.ref("R"))
}

func invoice(k *kit, m *mint) string {
	hours := 12 + m.rng.IntN(30)
	return fmt.Sprintf("INVOICE %s\n\n%s %s\nto: %s\n\nConsulting, %d hours at 95.00     %d.00\nDue within 14 days.\n",
		m.ref("INV-"), k.who.first, k.who.last, k.who.domain, hours, 95*hours)
}

func ideas(k *kit, m *mint) string {
	return fmt.Sprintf("%s\n- a reader for the old backups (box %s)\n- plot the running times of the nightly jobs\n- finally learn %s\n",
		k.ago(m, 20).Format(time.DateOnly), m.ref("K"), pick(m, "Haskell", "the cello", "Portuguese", "soldering"))
}

// pictures are for programs that encrypt or collect photos.
func pictures(k *kit, h *Home) error {
	if err := picture(k, h, "Pictures/summer.png"); err != nil {
		return err
	}
	return picture(k, h, "Pictures/IMG_2041.jpg")
}

// picture adds a photo.
func picture(k *kit, h *Home, name string) error {
	m := k.mint(name)
	const width, height = 96, 64
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			grain := uint8(m.rng.IntN(24))
			img.Set(x, y, color.RGBA{R: uint8(40+2*y) + grain, G: uint8(90+x) + grain, B: 160 + grain, A: 255})
		}
	}
	var b bytes.Buffer
	var err error
	if strings.HasSuffix(name, ".jpg") {
		err = jpeg.Encode(&b, img, nil)
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img)
	}
	if err != nil {
		return fmt.Errorf("drawing a picture: %w", err)
	}
	// The grain makes the compressed bytes unique.
	middle := b.Len() / 2
	m.keep(b.String()[middle : middle+32])
	h.decoy(m, mcpsf.DecoyDocument, "doc", name, b.String())
	return nil
}
