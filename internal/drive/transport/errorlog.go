package transport

import "sync"

// maxLogLines is how many lines of standard error are kept to explain a failure.
// no gap: all lines are in the record; these say only why a call failed
const maxLogLines = 256

// ErrorLog keeps the last lines that a server wrote to standard error.
type ErrorLog struct {
	mu    sync.Mutex
	lines []string
	all   int
}

func (l *ErrorLog) add(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == maxLogLines {
		l.lines = append(l.lines[:0], l.lines[1:]...)
	}
	l.lines = append(l.lines, string(line))
	l.all++
}

// Lines returns how many lines were written so far.
func (l *ErrorLog) Lines() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all
}

// Since returns the lines that were written after so many, as far as they are kept.
func (l *ErrorLog) Since(lines int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.lines[max(0, len(l.lines)-(l.all-lines)):]...)
}
