// Package junit writes a run for build servers, as JUnit XML.
//
// In: a report and the severity that fails a build. Out: a test suite.
package junit
