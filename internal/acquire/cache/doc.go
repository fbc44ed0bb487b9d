// Package cache keeps published files and directory trees on disk, by key.
//
// In: a key and a file, or a key and a function that fills a directory. Out:
// the path of what is kept for the key, verified byte by byte. Any number of
// processes of one user share a cache: if several want the same tree, one
// builds it and the others wait; nobody sees a half-written tree, and entries
// in use are not removed.
//
// The layout, in which <name> is a hash of kind and key:
//
//	version               the layout's version
//	CACHEDIR.TAG          tells backup programs to skip the cache
//	entries/<name>/       one entry: manifest and content/
//	building/<random>/    an entry that is being made or removed
//	locks/<name>          exists while a process changes entries/<name>
//	advisories/           the advisory database, which the cache does not manage
//
// Three rules make it safe. Names below entries/ change by one rename, and only
// by the process that holds the lock of that name. A process that uses or
// builds an entry holds a shared lock on its manifest. A process that removes
// one holds that lock exclusively. The kernel releases the locks of a process
// that dies, so that its leftovers in building/ can be distinguished from live
// ones.
package cache
