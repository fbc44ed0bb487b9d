package meaning

// Number returns a number that suits a name. Timeouts in seconds and in
// milliseconds need different numbers, or a call has no time to finish.
func Number(name, description string) float64 {
	w, said := Words(name), Words(description)
	thousand := HasWord(w, "ms", "millis", "milliseconds") || HasWord(said, "ms", "millisecond", "milliseconds")
	for _, row := range []struct {
		value, inThousandths float64
		words                []string
	}{
		{8080, 8080, []string{"port"}},
		{2024, 2024, []string{"year"}},
		{5, 5, []string{"month", "minutes", "days", "weeks"}},
		{17, 17, []string{"day"}},
		{52.52, 52.52, []string{"latitude", "lat"}},
		{13.405, 13.405, []string{"longitude", "lng", "lon", "long"}},
		{1715938200, 1715938200000, []string{"timestamp", "since", "after", "from", "epoch"}},
		{1716543000, 1716543000000, []string{"until", "before", "to"}},
		{30, 10000, []string{"timeout", "ttl"}},
		{1, 100, []string{"delay", "wait", "sleep", "duration", "interval", "secs", "seconds", "time"}},
		{640, 640, []string{"width", "w"}},
		{480, 480, []string{"height", "h"}},
		{2, 2, []string{"depth", "level"}},
		{10, 10, []string{"limit", "count", "max", "top", "size", "length", "amount", "price", "quality", "zoom", "k"}},
		{0, 0, []string{"offset", "skip", "start", "x", "y"}},
	} {
		if HasWord(w, row.words...) {
			if thousand {
				return row.inThousandths
			}
			return row.value
		}
	}
	return 1
}
