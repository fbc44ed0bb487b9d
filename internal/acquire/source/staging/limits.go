package staging

// Limits bound what is copied or unpacked.
type Limits struct {
	// MaxBytes is the sum of all file sizes as the file system states them.
	MaxBytes int64
	// MaxFiles counts files, directories and symbolic links.
	MaxFiles int
	// MaxDepth is the number of names in the longest path.
	MaxDepth int
}
