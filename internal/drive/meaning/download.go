package meaning

import (
	"slices"
	"strings"
)

// download returns the address of a document in the format that the words of a parameter or
// the name of its tool say, "" if they say none: what reads a feed has no use for a page.
func (v Values) download(names, said []string) string {
	base := strings.TrimSuffix(v.URL, "/") + "/"
	words := slices.Concat(names, said[:min(len(said), maxMention)], Words(v.tool))
	for i, w := range words {
		if i > 0 && words[i-1] == "i" {
			w = "i" + w // iCalendar is two words here
		}
		switch Singular(w) {
		case "feed", "rss", "podcast":
			return base + "feed.xml"
		case "atom":
			return base + "atom.xml"
		case "sitemap":
			return base + "sitemap.xml"
		case "ics", "ical", "icalendar":
			return base + "calendar.ics"
		}
	}
	if endings := meant(names); len(endings) > 0 && endings[0] != ".html" {
		return base + "data" + endings[0]
	}
	return ""
}
