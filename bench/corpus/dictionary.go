package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// dictionaryFile is beside the runs that were packed with it. They cannot be
// read without it, so a new one is only made when all are packed anew.
const dictionaryFile = "dictionary.zst"

// maxSample is how much of a run goes into the dictionary.
const maxSample = 512 << 10

// sampled are the runs that the dictionary is made from: honest and malicious
// ones, of both languages, and attacks of the classes with most payloads.
func sampled() []string {
	return []string{
		"ok-mail-smtp", "agent-direct-enum", "enc-gzip-base64", "fixed-command-injection-1-py",
		"fixed-path-traversal-1-js", "fixed-ssrf-1-py", "fixed-template-injection-1-js", "fixed-sql-injection-1-py",
	}
}

// readDictionary reads a dictionary, nil if there is none.
func readDictionary(file string) ([]byte, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the dictionary: %w", err)
	}
	defer f.Close()
	packed, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDictionary))
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	return io.ReadAll(io.LimitReader(packed, maxDictionary))
}

// repack packs the runs of a shelf anew, with a new dictionary, into another
// shelf, which may be the same.
func repack(from, to string, list []*example) error {
	old, err := openShelf(from)
	if err != nil {
		return err
	}
	anew := &shelf{dir: to}
	for _, name := range sampled() {
		r, events, err := old.get(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		text, err := encode(r, events)
		if err != nil {
			return err
		}
		anew.dictionary = append(anew.dictionary, text[:min(len(text), maxSample)]...)
	}
	for _, e := range list {
		if !old.has(e.Name) {
			continue
		}
		r, events, err := old.get(e.Name)
		if err == nil {
			err = anew.put(e.Name, r, events)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	packed, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(windowSize))
	if err != nil {
		return err
	}
	defer packed.Close()
	return os.WriteFile(filepath.Join(to, dictionaryFile), packed.EncodeAll(anew.dictionary, nil), 0o644)
}
