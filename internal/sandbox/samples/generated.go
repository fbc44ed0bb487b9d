package samples

import "fmt"

// generated are the formats that short code writes.
func generated() ([]entry, error) {
	var all []entry
	for _, g := range []struct {
		name  string
		write func() ([]byte, error)
	}{
		{"stand-photo.png", func() ([]byte, error) { return pngPicture(96, 64, 1) }},
		{"team.jpg", func() ([]byte, error) { return jpegPicture(96, 64, 2) }},
		{"crew.jpeg", func() ([]byte, error) { return jpegPicture(64, 64, 3) }},
		{"blinking-sign.gif", gifPicture},
		{"badge.bmp", bmpPicture},
		{"poster.tiff", tiffPicture},
		{"favicon.ico", icon},
		{"invitation.pdf", func() ([]byte, error) { return pdf(), nil }},
		{"bell.wav", func() ([]byte, error) { return wave(), nil }},
		{"sum.wasm", func() ([]byte, error) { return wasm(), nil }},
		{"roof.glb", func() ([]byte, error) { return model(), nil }},
		{"till.db", func() ([]byte, error) { return stored.ReadFile("binary/orders.sqlite") }},
		{"fair.zip", func() ([]byte, error) { return zipped(parcel()) }},
		{"fair.tar", func() ([]byte, error) { return tarred(parcel()) }},
		{"till.log.gz", func() ([]byte, error) {
			return gzipped([]byte("2026-09-14T08:00:01Z INFO till started\n"))
		}},
		{"fair.tar.gz", tarball},
		{"fair.tgz", tarball},
	} {
		content, err := g.write()
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", g.name, err)
		}
		all = append(all, entry{g.name, content})
	}
	return all, nil
}

// binaries are the stored ones.
func binaries() ([]entry, error) {
	list, err := stored.ReadDir("binary")
	if err != nil {
		return nil, fmt.Errorf("reading stored samples: %w", err)
	}
	var all []entry
	for _, f := range list {
		if f.Name() == "README" {
			continue
		}
		content, err := stored.ReadFile("binary/" + f.Name())
		if err != nil {
			return nil, fmt.Errorf("reading stored samples: %w", err)
		}
		all = append(all, entry{f.Name(), content})
	}
	return all, nil
}
