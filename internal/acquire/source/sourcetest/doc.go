// Package sourcetest is what the tests of the sources share: trees, archives
// that can lie in every field, a cache. In comes what a test wants to see, out
// go files and bytes of it. Only tests import it.
package sourcetest
