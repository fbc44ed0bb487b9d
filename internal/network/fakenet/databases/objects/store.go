package objects

import (
	"slices"
	"sync"
)

// What a store holds at most.
// no gap: what a client sends is evidence whether it is stored or not
const (
	maxBuckets   = 100
	maxObjects   = 5000
	maxBytes     = 32 << 20 // with parts of uploads, and bodies that are arriving
	maxKey       = 1024
	maxHeaders   = 8 << 10 // of an object: its type and what the client says of it
	maxTags      = 10
	maxTag       = 512
	maxUploads   = 100
	maxParts     = 2000 // of all uploads
	maxPart      = 10_000
	maxSettings  = 40
	maxSetting   = 64 << 10
	maxEndpoints = 100
	maxPage      = 256 << 10     // bytes of keys that a page of a list has
	maxWork      = 2_000_000_000 // bytes that are copied, digested or listed in a run
)

const (
	// overhead is what an object costs beside its bytes.
	overhead = 256
	// leastPart is the size of a part that is not the last one.
	leastPart = 5 << 20
)

// Error is an error, by the name that S3 gives it.
type Error string

// Error implements [error].
func (f Error) Error() string { return string(f) }

// The errors of a store.
const (
	ErrNoSuchBucket            Error = "NoSuchBucket"
	ErrNoSuchKey               Error = "NoSuchKey"
	ErrNoSuchUpload            Error = "NoSuchUpload"
	ErrBucketAlreadyOwnedByYou Error = "BucketAlreadyOwnedByYou"
	ErrBucketNotEmpty          Error = "BucketNotEmpty"
	ErrInvalidBucketName       Error = "InvalidBucketName"
	ErrInvalidArgument         Error = "InvalidArgument"
	ErrInvalidURI              Error = "InvalidURI"
	ErrInvalidPart             Error = "InvalidPart"
	ErrInvalidPartOrder        Error = "InvalidPartOrder"
	ErrInvalidTag              Error = "InvalidTag"
	ErrInvalidRange            Error = "InvalidRange"
	ErrEntityTooSmall          Error = "EntityTooSmall"
	ErrEntityTooLarge          Error = "EntityTooLarge"
	ErrIncompleteBody          Error = "IncompleteBody"
	ErrKeyTooLong              Error = "KeyTooLongError"
	ErrMetadataTooLarge        Error = "MetadataTooLarge"
	ErrTooManyBuckets          Error = "TooManyBuckets"
	ErrStorageFull             Error = "XMinioStorageFull"
	ErrSlowDown                Error = "SlowDown"
)

// Store is what all connections of a run share. It is safe for concurrent use.
type Store struct {
	mu      sync.Mutex
	buckets map[string]*bucket
	uploads map[string]*upload // by id
	objects int
	bytes   int
	parts   int
	begun   int // uploads, which are counted
	work    int
	// settled is set once a client has asked which buckets there are, has made one or
	// was given one.
	settled bool
	// endpoints are the hosts that a client has used as object storage.
	endpoints []string
}

// New makes a store with two buckets and a few objects.
func New() *Store {
	s := &Store{buckets: map[string]*bucket{}, uploads: map[string]*upload{}}
	s.seed()
	return s
}

// Served tells whether a client has used a host as object storage.
func (s *Store) Served(host string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.endpoints, host)
}

// Serve remembers such a host.
func (s *Store) Serve(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.endpoints) < maxEndpoints && !slices.Contains(s.endpoints, host) {
		s.endpoints = append(s.endpoints, host)
	}
}

// spend counts work. It returns an error once a run has done too much of it.
func (s *Store) spend(bytes int) error {
	if s.work > maxWork {
		return ErrSlowDown
	}
	s.work += bytes
	return nil
}
