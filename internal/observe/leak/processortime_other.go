//go:build !linux

package leak

import "time"

func threadID() int { return 0 }

// processorTime stands for it on systems without sandboxes, where only stored
// bytes are searched.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
