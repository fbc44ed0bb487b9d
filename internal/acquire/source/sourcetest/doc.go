// Package sourcetest has what the tests of the sources share: trees, archives
// with any field forged, and a cache in memory. Only tests import it.
package sourcetest
