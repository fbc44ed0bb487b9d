package capture

import "bytes"

// keyLog makes a [Spool] an [io.Writer] for TLS key log lines.
type keyLog struct{ s *Spool }

func (k keyLog) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		k.s.Secret(line)
	}
	return len(p), nil
}

// maxSecret is longer than any line of a key log.
// no gap: bounds the capture file; events have everything
const maxSecret = 1 << 10

// isKeyLog says whether a line has the form of a key log: label, client random,
// secret. Nothing else gets into the file.
func isKeyLog(line []byte) bool {
	fields := bytes.Split(bytes.TrimRight(line, "\r\n"), []byte(" "))
	return len(line) <= maxSecret && len(fields) == 3 &&
		only(fields[0], "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") &&
		only(fields[1], "0123456789abcdefABCDEF") && only(fields[2], "0123456789abcdefABCDEF")
}

func only(b []byte, chars string) bool {
	return len(b) > 0 && len(bytes.Trim(b, chars)) == 0
}
