// Package cache keeps published files and directory trees on disk, by key.
//
// In go a key and a file, or a key and a function that fills a directory; out
// comes the path of what is kept for the key, checked byte by byte against
// what was put there. Any number of processes of one user share a cache: of
// several that want the same tree one builds it and the others wait, nobody
// sees one that is half written, and what somebody uses is not removed.
//
// The layout, in which <name> is a hash of kind and key:
//
//	version               the layout's version
//	CACHEDIR.TAG          tells backup programs to pass by
//	entries/<name>/       one entry: manifest and content/
//	building/<random>/    an entry that is being made or removed
//	locks/<name>          exists while somebody changes entries/<name>
//	advisories/           the database of advisories, which is not the cache's
//
// Three rules make it safe. Names below entries/ change by one rename, and
// only in the hands of whoever holds the lock of that name. Whoever uses an
// entry, or builds one, holds a shared lock on its manifest. Whoever removes
// one holds that lock alone. The kernel gives up the locks of a process that
// dies, so what it leaves in building/ can be told from what is alive.
package cache
