package lex

import (
	"slices"
	"strings"
	"unicode"
)

// Reordered tells whether two texts differ only in the order of words within a
// list with commas, as when a program prints a set: there is the same punctuation,
// and between it each list has the same words. What is said of a list stays.
func Reordered(a, b string) bool {
	words, between := parts(a)
	others, alike := parts(b)
	if a == b || len(words) != len(others) || !slices.Equal(between, alike) {
		return false
	}
	for from := 0; from < len(words); {
		to := from + 1
		for to < len(words) && strings.Contains(between[to], ",") {
			to++
		}
		slices.Sort(words[from:to])
		slices.Sort(others[from:to])
		from = to
	}
	return slices.Equal(words, others)
}

// parts returns the words of a text and what stands before, between and after them.
func parts(s string) (words, between []string) {
	inWord, from := false, 0
	for i, r := range s {
		if word := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-'; word != inWord {
			if inWord {
				words = append(words, s[from:i])
			} else {
				between = append(between, s[from:i])
			}
			inWord, from = word, i
		}
	}
	if inWord {
		return append(words, s[from:]), append(between, "")
	}
	return words, append(between, s[from:])
}
