package wording

import (
	"fmt"
	"slices"
	"strings"
)

// maxMerged bounds what [Merge] lists.
// no gap: bounds what is shown
const maxMerged = 8

// Merge makes one text of several that differ in a few words, line by line:
// "Rotate a." and "Rotate b." become "Rotate a and b.". Of texts that have not
// the same number of lines it keeps the first.
func Merge(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	lines := strings.Split(texts[0], "\n")
	columns := make([][]string, len(lines))
	for _, t := range texts {
		for i, line := range strings.Split(t, "\n") {
			if strings.Count(t, "\n") == len(lines)-1 && !slices.Contains(columns[i], line) {
				columns[i] = append(columns[i], line)
			}
		}
	}
	for i := range lines {
		lines[i] = mergeLines(columns[i])
	}
	return strings.Join(lines, "\n")
}

// mergeLines lists what different lines do not share.
func mergeLines(lines []string) string {
	if len(lines) < 2 || strings.TrimSpace(lines[0]) == "" {
		return lines[0]
	}
	var split [][]string
	for _, line := range lines {
		if words := strings.Fields(line); len(words) > 0 {
			split = append(split, words)
		}
	}
	if len(split) == 1 {
		return lines[0]
	}
	before, after := Shared(split)
	var middle []string
	for i, words := range split {
		if i == maxMerged {
			middle = append(middle, fmt.Sprintf("%d more", len(split)-i))
			break
		}
		middle = append(middle, strings.Trim(strings.Join(words[before:len(words)-after], " "), ",.:;"))
	}
	first := split[0]
	last := first[len(first)-after-1]
	end := last[len(strings.TrimRight(last, ",.:;")):]
	return strings.Join(slices.Concat(first[:before], []string{enumerate(middle) + end}, first[len(first)-after:]), " ")
}

// enumerate lists words as in a sentence: "a, b and c".
func enumerate(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// OneLine makes one line of a text of several.
func OneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// Shared counts the words that all texts begin and end with. Each keeps at
// least a word of its own, so that there is something to list.
func Shared(texts [][]string) (before, after int) {
	first := texts[0]
	room := len(first)
	for _, m := range texts {
		room = min(room, len(m))
	}
	room = max(room-1, 0)
	all := func(same func(m []string) bool) bool {
		return !slices.ContainsFunc(texts, func(m []string) bool { return !same(m) })
	}
	for before < room && all(func(m []string) bool { return m[before] == first[before] }) {
		before++
	}
	for before+after < room && all(func(m []string) bool { return m[len(m)-1-after] == first[len(first)-1-after] }) {
		after++
	}
	return before, after
}
