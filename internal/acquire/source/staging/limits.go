package staging

// Limits bound what is copied or unpacked.
type Limits struct {
	// MaxBytes bounds the sum of all file sizes as the file system states them.
	MaxBytes int64
	// MaxFiles bounds the number of files, directories and symbolic links.
	MaxFiles int
	// MaxDepth bounds the number of names in a path.
	MaxDepth int
}
