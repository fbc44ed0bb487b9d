// Package document reads JSON, TOML and YAML that strangers wrote. Keys are taken
// as they are written, not in any case, because package managers do so too.
//
// In: the bytes of a manifest, a lock file or a configuration.
//
// Out: one kind of tree for all three languages; of a broken document what stood
// before the first mistake, with the mistake.
//
// Never: go deeper, longer or wider than its bounds; turn a number into something else
// than its text; quote the file in an error.
package document
