package monitor

import "strconv"

// errnoName names a Linux error number, whatever system this runs on.
func errnoName(n uint16) string {
	if n == 0 {
		return ""
	}
	if name := commonErrno(n); name != "" {
		return name
	}
	return "errno " + strconv.Itoa(int(n))
}

// signalName names a Linux signal, "" for none.
func signalName(n uint32) string {
	if n == 0 {
		return ""
	}
	if name := commonSignal(n); name != "" {
		return name
	}
	return "signal " + strconv.FormatUint(uint64(n), 10)
}

// commonErrno is a switch and not a map, to avoid a mutable package variable.
func commonErrno(n uint16) string {
	switch n {
	case 1:
		return "EPERM"
	case 2:
		return "ENOENT"
	case 3:
		return "ESRCH"
	case 4:
		return "EINTR"
	case 5:
		return "EIO"
	case 6:
		return "ENXIO"
	case 7:
		return "E2BIG"
	case 8:
		return "ENOEXEC"
	case 9:
		return "EBADF"
	case 10:
		return "ECHILD"
	case 11:
		return "EAGAIN"
	case 12:
		return "ENOMEM"
	case 13:
		return "EACCES"
	case 14:
		return "EFAULT"
	case 15:
		return "ENOTBLK"
	case 16:
		return "EBUSY"
	case 17:
		return "EEXIST"
	case 18:
		return "EXDEV"
	case 19:
		return "ENODEV"
	case 20:
		return "ENOTDIR"
	case 21:
		return "EISDIR"
	case 22:
		return "EINVAL"
	case 23:
		return "ENFILE"
	case 24:
		return "EMFILE"
	case 25:
		return "ENOTTY"
	case 26:
		return "ETXTBSY"
	case 27:
		return "EFBIG"
	case 28:
		return "ENOSPC"
	case 29:
		return "ESPIPE"
	case 30:
		return "EROFS"
	case 31:
		return "EMLINK"
	case 32:
		return "EPIPE"
	case 33:
		return "EDOM"
	case 34:
		return "ERANGE"
	case 35:
		return "EDEADLK"
	case 36:
		return "ENAMETOOLONG"
	case 37:
		return "ENOLCK"
	case 38:
		return "ENOSYS"
	case 39:
		return "ENOTEMPTY"
	case 40:
		return "ELOOP"
	case 61:
		return "ENODATA"
	case 62:
		return "ETIME"
	case 71:
		return "EPROTO"
	case 74:
		return "EBADMSG"
	case 75:
		return "EOVERFLOW"
	case 84:
		return "EILSEQ"
	case 87:
		return "EUSERS"
	case 88:
		return "ENOTSOCK"
	case 89:
		return "EDESTADDRREQ"
	case 90:
		return "EMSGSIZE"
	case 91:
		return "EPROTOTYPE"
	case 92:
		return "ENOPROTOOPT"
	case 93:
		return "EPROTONOSUPPORT"
	case 94:
		return "ESOCKTNOSUPPORT"
	case 95:
		return "EOPNOTSUPP"
	case 96:
		return "EPFNOSUPPORT"
	case 97:
		return "EAFNOSUPPORT"
	case 98:
		return "EADDRINUSE"
	case 99:
		return "EADDRNOTAVAIL"
	case 100:
		return "ENETDOWN"
	case 101:
		return "ENETUNREACH"
	case 102:
		return "ENETRESET"
	case 103:
		return "ECONNABORTED"
	case 104:
		return "ECONNRESET"
	case 105:
		return "ENOBUFS"
	case 106:
		return "EISCONN"
	case 107:
		return "ENOTCONN"
	case 108:
		return "ESHUTDOWN"
	case 110:
		return "ETIMEDOUT"
	case 111:
		return "ECONNREFUSED"
	case 112:
		return "EHOSTDOWN"
	case 113:
		return "EHOSTUNREACH"
	case 114:
		return "EALREADY"
	case 115:
		return "EINPROGRESS"
	case 116:
		return "ESTALE"
	case 122:
		return "EDQUOT"
	case 125:
		return "ECANCELED"
	}
	return ""
}

func commonSignal(n uint32) string {
	switch n {
	case 1:
		return "SIGHUP"
	case 2:
		return "SIGINT"
	case 3:
		return "SIGQUIT"
	case 4:
		return "SIGILL"
	case 5:
		return "SIGTRAP"
	case 6:
		return "SIGABRT"
	case 7:
		return "SIGBUS"
	case 8:
		return "SIGFPE"
	case 9:
		return "SIGKILL"
	case 10:
		return "SIGUSR1"
	case 11:
		return "SIGSEGV"
	case 12:
		return "SIGUSR2"
	case 13:
		return "SIGPIPE"
	case 14:
		return "SIGALRM"
	case 15:
		return "SIGTERM"
	case 16:
		return "SIGSTKFLT"
	case 17:
		return "SIGCHLD"
	case 18:
		return "SIGCONT"
	case 19:
		return "SIGSTOP"
	case 20:
		return "SIGTSTP"
	case 21:
		return "SIGTTIN"
	case 22:
		return "SIGTTOU"
	case 23:
		return "SIGURG"
	case 24:
		return "SIGXCPU"
	case 25:
		return "SIGXFSZ"
	case 26:
		return "SIGVTALRM"
	case 27:
		return "SIGPROF"
	case 28:
		return "SIGWINCH"
	case 29:
		return "SIGIO"
	case 30:
		return "SIGPWR"
	case 31:
		return "SIGSYS"
	}
	return ""
}
