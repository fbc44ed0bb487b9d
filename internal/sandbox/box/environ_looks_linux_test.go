package box

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// A program that inspects its own runtime sees the same with and without the
// hooks.
func TestHooksDoNotShow(t *testing.T) {
	for _, c := range []struct {
		name    string
		runtime mcpsf.Runtime
		files   map[string]string
		command []string
	}{
		{"python", mcpsf.RuntimePython, map[string]string{"look.py": looksOfPython}, []string{"python3", "look.py"}},
		{"python isolated", mcpsf.RuntimePython, map[string]string{"look.py": looksOfPython}, []string{"python3", "-I", "look.py"}},
		{"node", mcpsf.RuntimeNode, map[string]string{"look.cjs": looksOfNode}, []string{"node", "look.cjs"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			with := inSandbox(t, c.runtime, c.files, true, c.command...)
			without := inSandbox(t, c.runtime, c.files, false, c.command...)
			if without.exit.Code != 0 || len(without.out) < 1000 {
				t.Fatalf("the look itself failed: %s", without.complaints)
			}
			if diff := cmp.Diff(without.out, with.out); diff != "" {
				t.Errorf("output (-without +with):\n%s", diff)
			}
			if diff := cmp.Diff(without.complaints, with.complaints); diff != "" {
				t.Errorf("complaints (-without +with):\n%s", diff)
			}
			if with.hooked() == 0 || without.hooked() != 0 {
				t.Errorf("%d programs were hooked with, %d without", with.hooked(), without.hooked())
			}
			if diff := cmp.Diff(touched(without), touched(with)); diff != "" {
				t.Errorf("files (-without +with):\n%s", diff)
			}
		})
	}
}

// touched returns the names of all files a program touched, except the one that
// Python reads as source instead of compiled.
func touched(r *ran) map[string]bool {
	names := map[string]bool{}
	for _, rec := range r.records {
		if rec.Path != "" && rec.Op != wire.OpStart {
			names[strconv.Itoa(int(rec.Op))+" "+carrierFile.ReplaceAllString(rec.Path, "carrier")] = true
		}
	}
	return names
}

var carrierFile = regexp.MustCompile(`/encodings/(__pycache__/)?utf_8\.[^/]*$`)

// A program that finds the hook can switch it off for itself and fake reads;
// the hook neither harms it nor lets it do more.
func TestHooksAgainstWhoKnowsThem(t *testing.T) {
	const find = `
import os, gc
os.getenv("BEGIN")
cells = {}
for f in os._Environ.__getitem__.__code__.co_consts:
    if callable(f):
        cells = dict(zip(f.__code__.co_freevars, (c.cell_contents for c in f.__closure__)))
prefix = cells["prefix"]
for name in (b"MADE_UP", b"a\nb", b"\x1b[31m", b"\xff\xfe", b"x" * 3000):
    try: os.access(prefix + name, 0)
    except OSError: pass
os.access(prefix + b"x" * 5000, 0)
os.access(prefix, 4)
os.stat("/") and os.access(prefix.decode() + "STR", 2)
try: os.stat(prefix + b"STAT")
except FileNotFoundError: pass
for i in range(20000): os.access(prefix + b"%d" % (i % 7), 0)
os._Environ.__getitem__.__code__ = (lambda self, key: "own").__code__
print(os.environ["UNSEEN"])
os.environ = {"A": "b"}
print(os.environ["A"])
`
	r := inSandbox(t, mcpsf.RuntimePython, map[string]string{"a.py": find}, true, "python3", "a.py")
	if r.out != "own\nb\n" || r.exit.Code != 0 {
		t.Fatalf("it said %q, %s", r.out, r.complaints)
	}
	reads := r.reads()
	if len(reads) < 20000 || reads[0] != "MADE_UP" {
		t.Errorf("%d reads", len(reads))
	}
	for _, name := range reads {
		if len(name) > maxName || name == "UNSEEN" || name == "STAT" {
			t.Errorf("read of %q", name)
		}
	}
}

const looksOfPython = `
import collections.abc, copy, inspect, json, linecache, os, pickle, re, sys, traceback
hex = lambda s: re.sub(r'0x[0-9a-f]+', '0x', str(s))
def attempt(f):
    try: return hex(f())
    except BaseException: return hex(traceback.format_exc())
E = os._Environ
looks = {
  'type': lambda: (type(os.environ), os.environ.__class__.__name__, E.__mro__, E.__module__),
  'class': lambda: sorted(vars(E)), 'instance': lambda: sorted(vars(os.environ)),
  'functions': lambda: [(f, f.__name__, f.__qualname__, f.__module__, f.__defaults__, f.__closure__, inspect.signature(f)) for f in vars(E).values() if inspect.isfunction(f)],
  'places': lambda: [(f.__code__.co_filename, f.__code__.co_name, f.__code__.co_firstlineno, f.__code__.co_argcount, f.__code__.co_flags, f.__code__.co_freevars) for f in vars(E).values() if inspect.isfunction(f)],
  'globals': lambda: E.__getitem__.__globals__ is vars(os),
  'missing': lambda: os.environ['NOPE'], 'wrong': lambda: os.environ[1], 'unhashable': lambda: os.environ[[]],
  'source': lambda: inspect.getsource(E.__getitem__),
  'pickle': lambda: pickle.dumps(os.environ), 'copy': lambda: type(copy.copy(os.environ)), 'deepcopy': lambda: sorted(copy.deepcopy(os.environ).items()),
  'equal': lambda: os.environ == dict(os.environ) == os.environ.copy(),
  'repr': lambda: eval(repr(os.environ)[8:-1]) == dict(os.environ) and repr(os.environ)[:9],
  'or': lambda: (type(os.environ | {}), type({} | os.environ)),
  'pop': lambda: (os.environ.pop('NOPE', 5), os.environ.setdefault('S', 'x'), os.environ.pop('S')),
  'popped': lambda: os.environ.pop('NOPE'),
  'mapping': lambda: isinstance(os.environ, collections.abc.MutableMapping),
  'names': lambda: sorted(os.environ), 'count': lambda: len(os.environ),
  'iterator': lambda: (type(iter(os.environ)), iter(os.environ).__name__, type(os.environ.items())),
  'json': lambda: sorted(json.loads(json.dumps(dict(os.environ)))),
  'modules': lambda: list(sys.modules), 'path': lambda: sys.path, 'finders': lambda: sys.meta_path, 'hooks': lambda: sys.path_hooks,
  'cache': lambda: sorted(sys.path_importer_cache), 'flags': lambda: sys.flags, 'argv': lambda: (sys.argv, sys.orig_argv),
  'os': lambda: (os.__spec__, os.__loader__, sorted(vars(os))),
  'carrier': lambda: [(m.__spec__, m.__loader__, m.__cached__, m.__file__, sorted(vars(m))) for m in (sys.modules['encodings.utf_8'], sys.modules['encodings'])],
  'compiled': lambda: hash(open(sys.modules['encodings.utf_8'].__cached__, 'rb').read()[:16]) != 0,
  'carrier source': lambda: inspect.getsource(sys.modules['encodings.utf_8']),
  'read': lambda: open(sys.modules['encodings.utf_8'].__file__).read(),
  'listing': lambda: sorted(os.listdir(os.path.dirname(sys.modules['encodings.utf_8'].__file__))),
  'places to hide': lambda: [sorted(os.listdir(d)) for d in ('/', '/run/user/1000', '/tmp', '/etc', os.path.expanduser('~'), '.')],
  'descriptors': lambda: sorted(os.listdir('/proc/self/fd')),
  'maps': lambda: sorted({l.split(None, 5)[5] for l in open('/proc/self/maps') if len(l.split(None, 5)) > 5}),
  'variables': lambda: sorted(v.split(b'=')[0] for v in open('/proc/self/environ', 'rb').read().split(b'\0')),
  'threads': lambda: os.listdir('/proc/self/task') == [str(os.getpid())],
  'atexit': lambda: __import__('atexit')._ncallbacks(),
}
for name, look in looks.items(): print(name, attempt(look), sep='\t')
heard = []
sys.addaudithook(lambda event, args: heard.append(event))
os.environ['ONE']; dict(os.environ); print(set(heard) - {'object.__getattr__'})
`

const looksOfNode = `
const util = require('util'), fs = require('fs');
const attempt = f => { try { return util.inspect(f(), {depth: 6}); } catch (e) { return String(e.stack); } };
const env = process.env;
const sorted = o => Object.keys(o).sort();
const looks = {
  type: () => [typeof env, env.constructor, env.constructor === Object, Object.prototype.toString.call(env), util.types.isProxy(env)],
  descriptor: () => ({...Object.getOwnPropertyDescriptor(process, 'env'), value: 0}),
  prototype: () => [Object.getPrototypeOf(env) === Object.prototype, Object.getOwnPropertyNames(Object.getPrototypeOf(env))],
  property: () => Object.getOwnPropertyDescriptor(env, 'ONE'), missing: () => [env.NOPE, Object.getOwnPropertyDescriptor(env, 'NOPE'), 'NOPE' in env],
  inspect: () => util.inspect(env, {showProxy: true, showHidden: true, sorted: true}),
  names: () => [sorted(env), Reflect.ownKeys(env).sort(), Object.entries(env).sort()], json: () => sorted(JSON.parse(JSON.stringify(env))),
  has: () => [env.hasOwnProperty('ONE'), Object.hasOwn(env, 'ONE'), Reflect.has(env, 'ONE')],
  set: () => { env.N = 5; const r = [env.N, delete env.N, env.N]; return r; },
  symbol: () => env[Symbol('x')], frozen: () => Object.isFrozen(env), freeze: () => Object.freeze(env),
  define: () => Object.defineProperty(env, 'ONE', {get() { return 1; }}),
  clone: () => sorted(structuredClone(env)), serialize: () => { try { require('v8').serialize(env); } catch (e) { return e.constructor; } },
  empty: () => [env[''], env['=x'], env['ONE=first'], env.ON, env.ONEE],
  values: () => [env.ONE, env.TWO, env.LAST, env.HOME],
  argv: () => [process.argv, process.execArgv, process.execPath], module: () => [Object.keys(require.cache), module.children, module.paths],
  libraries: () => process.report.getReport().sharedObjects,
  maps: () => [...new Set(fs.readFileSync('/proc/self/maps', 'utf8').split('\n').filter(l => l.includes('/')).map(l => l.split(/\s+/).slice(1).join(' ')))].sort(),
  variables: () => fs.readFileSync('/proc/self/environ', 'utf8').split('\0').map(v => v.split('=')[0]).sort(),
  cmdline: () => fs.readFileSync('/proc/self/cmdline', 'utf8'),
  hide: () => ['/', '/run/user/1000', '/tmp', '/etc', process.env.HOME, '.'].map(d => fs.readdirSync(d).sort()),
  descriptors: () => fs.readdirSync('/proc/self/fd').sort(),
  globals: () => Object.getOwnPropertyNames(globalThis).sort(), process: () => Object.getOwnPropertyNames(process).sort(),
  child: () => require('child_process').execFileSync('env').toString().split('\n').sort(),
  node: () => require('child_process').execFileSync(process.execPath, ['-p', 'Object.keys(process.env).sort().join()']).toString(),
};
for (const [name, look] of Object.entries(looks)) console.log(name, attempt(look));
`
