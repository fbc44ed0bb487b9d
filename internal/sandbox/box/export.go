package box

import "errors"

// ErrEnded says that the sandbox ended before it had handed out what it should.
var ErrEnded = errors.New("the sandbox ended before everything was handed out")
