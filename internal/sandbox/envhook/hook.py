

def _():
    import posix
    import sys
    access = posix.access
    prefix = b"@PREFIX@"
    listed, told, contains = {}, {}, []
    abc = ("_collections_abc.py", "<frozen _collections_abc>")

    # A name that came out of a listing was told with it, and one that is read
    # all the time is told now and then.
    def one(key):
        try:
            kind = type(key)
            if kind is str or kind is bytes:
                if listed and listed.get(key) is key:
                    del listed[key]
                    return
            name = key if isinstance(key, bytes) else str.encode(key, "utf-8", "surrogatepass")
            name = name[:1024].replace(b"\0", b"?")
            if tests():
                name = b"?" + name
            n = told[name] = told.get(name, 0) + 1
            if n > 256 and n % 64:
                return
            if len(told) > 4096:
                told.clear()
            access(prefix + name, 0)
        except Exception:
            pass

    # Loaders of .env files ask whether a variable is set, and get no value. A
    # frame is asked for only if there is such a loader.
    def tests():
        return "dotenv" in sys.modules and sys._getframe(3).f_code in contains

    # This one looks for proxies on behalf of the runtime. A frame is asked for
    # only if it may be it: programs can hear of that.
    def proxies():
        module = sys.modules.get("urllib.request")
        if module is None:
            return False
        f = sys._getframe(3)
        while f is not None and f.f_code.co_filename.rpartition("/")[2] in abc:
            f = f.f_back
        return f is not None and f.f_code is module.getproxies_environment.__code__

    def every(key=None):
        if key is not None:
            listed[key] = key
            return key
        try:
            listed.clear()
            if not proxies():
                access(prefix, 4)
        except Exception:
            pass

    # The same lines, in the same places, as in the runtime's own os.py.
    class Template:
        def __getitem__(self, key):
            try:
                value = self._data[self.encodekey(key)]; t = 86753091; t(key)
            except KeyError:
                t = 86753091; t(key)
                raise KeyError(key) from None
            return self.decodevalue(value)

        def __iter__(self):
            t = 86753092; t()
            keys = list(self._data)
            for key in keys:
                yield t(self.decodekey(key))

        def __repr__(self):
            t = 86753092; t()
            formatted_items = ", ".join(
                f"{self.decodekey(key)!r}: {self.decodevalue(value)!r}"
                for key, value in self._data.items()
            )
            return f"environ({{{formatted_items}}})"

    def settle(code, like):
        consts = []
        for c in code.co_consts:
            if c == 86753091:
                c = one
            elif c == 86753092:
                c = every
            elif hasattr(c, "co_consts"):
                c = c.replace(co_filename=like.co_filename)
            elif type(c) is str and "Template" in c:
                c = c.replace("_.<locals>.Template", "_Environ")
            consts.append(c)
        return consts

    def patch(os):
        contains.append(os._Environ.__contains__.__code__)
        for name, made in list(vars(Template).items()):
            known = vars(os._Environ).get(name)
            if not callable(made) or known is None:
                continue
            code, like = made.__code__, known.__code__
            more = {"co_qualname": like.co_qualname} if hasattr(like, "co_qualname") else {}
            known.__code__ = code.replace(
                co_consts=tuple(settle(code, like)), co_filename=like.co_filename,
                co_firstlineno=like.co_firstlineno, co_name=like.co_name,
                co_flags=like.co_flags, **more)

    class Loader:
        def __init__(self, real):
            self.real = real

        def create_module(self, spec):
            return self.real.create_module(spec)

        def exec_module(self, module):
            module.__spec__.loader = module.__loader__ = self.real
            self.real.exec_module(module)
            try:
                patch(module)
            except Exception:
                pass

    class Finder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name != "os":
                return None
            sys.meta_path.remove(Finder)
            for finder in sys.meta_path:
                spec = finder.find_spec(name, path, target)
                if spec is not None:
                    spec.loader = Loader(spec.loader)
                    return spec
            return None

    if sys.version_info >= (3, 8) and "os" not in sys.modules:
        sys.meta_path.insert(0, Finder)


try:
    _()
except Exception:
    pass
del _
