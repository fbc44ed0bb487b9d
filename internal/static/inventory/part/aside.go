package part

import "strings"

// Aside reports whether a directory, as seen from the top of its tree, is
// beside the server: tests, examples, what builds the documentation. What such
// a directory asks for is for development.
func Aside(dir string) bool {
	for name := range strings.SplitSeq(strings.ToLower(dir), "/") {
		switch name {
		case "test", "tests", "__tests__", "testing", "testdata", "e2e", "fixture", "fixtures", "__fixtures__", "mocks", "__mocks__",
			"example", "examples", "sample", "samples", "demo", "demos", "template", "templates",
			"bench", "benches", "benchmark", "benchmarks", "docs", "doc", "website", ".github", ".devcontainer":
			return true
		}
	}
	return false
}
