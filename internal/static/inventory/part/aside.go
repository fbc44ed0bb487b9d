package part

import "strings"

// Aside reports whether a directory, relative to the top of its tree, is beside
// the server: tests, examples, documentation. Its dependencies are for
// development.
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
