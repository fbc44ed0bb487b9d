package main

import "context"

func (s *settings) parts(ctx context.Context) error { return nil }
