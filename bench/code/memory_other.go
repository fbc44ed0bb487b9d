//go:build !unix

package main

func childMemory() int64 { return 0 }
