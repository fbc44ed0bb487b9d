package promptscan

import "strings"

// shape is what a token looks like.
type shape int

const (
	shapeWord shape = iota
	// shapePath is a file, shapeMail and shapeURL an address.
	shapePath
	shapeMail
	shapeURL
)

// shapeOf distinguishes addresses and paths from words joined by a slash.
func shapeOf(s string) shape {
	switch {
	case strings.Contains(s, "://"), strings.HasPrefix(s, "www."):
		return shapeURL
	case mail(s):
		return shapeMail
	case len(s) > 2 && (s[0] == '~' || s[0] == '/' || s[0] == '.' || s[0] == '$' || s[0] == '%'):
		return shapePath
	case strings.ContainsAny(s, `/\.`) && secretPath(s):
		return shapePath
	}
	return shapeWord
}

func mail(s string) bool {
	user, host, ok := strings.Cut(s, "@")
	return ok && user != "" && strings.Contains(host, ".") && !strings.ContainsAny(host, "@/")
}

// listMark matches what list items begin with.
func listMark(chunk string) bool {
	return chunk == "-" || chunk == "#" || strings.HasPrefix(chunk, "##") || (len(chunk) < 4 && strings.HasSuffix(chunk, ".") && chunk[0] >= '0' && chunk[0] <= '9')
}

func abbreviation(s string) bool {
	return tables().Abbreviations.Has(s)
}
