package source

import "time"

// parsePublished reads a date as registries write them, zero if it is none or
// one at which nothing can have been published: registries and archives that
// do not know write such.
func parsePublished(text string) time.Time {
	const longest = 64
	if len(text) > longest {
		return time.Time{}
	}
	date, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return plausible(date)
}

func plausible(date time.Time) time.Time {
	const first, last = 2000, 2200
	if date = date.UTC(); date.Year() < first || date.Year() > last {
		return time.Time{}
	}
	return date
}
