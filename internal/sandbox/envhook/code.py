

def _():
    import posix
    import sys
    access = posix.access
    prefix = b"@CODE@"
    roots, names = tuple(@ROOTS@), @NAMES@
    folders = ("/site-packages/", "/dist-packages/", "/node_modules/")
    files, calls, left = {}, set(), [200000]

    def tell(kind, numbers, name):
        room = 3800 - len(prefix) - len(name)
        numbers = [b"%d" % n for n in numbers]
        while numbers and left[0] > 0:
            size = 0
            for count, n in enumerate(numbers):
                size += len(n) + 1
                if size > room:
                    break
            else:
                count = len(numbers)
            left[0] -= 1
            access(prefix + kind + b" " + b" ".join(numbers[:count]) + b"\t" + name, 0)
            numbers = numbers[count or 1:]

    # What a package manager put beside the server's own package is not its own.
    def own(name):
        if not name.startswith(roots):
            return False
        cut = max((name.rfind(f) + len(f) for f in folders if f in name), default=0)
        tail = name[cut:]
        return not cut or any(tail == n + ".py" or tail.startswith(n + "/") for n in names)

    class File:
        def __init__(self, name):
            self.name = str.encode(name, "utf-8", "surrogateescape")
            # top is the code of the module; plans are those of its functions, by
            # identity: the code objects are kept, so no other gets that identity.
            self.top, self.plans, self.lines = None, {}, {}

        def plan(self, code):
            if not calls:
                learn()
            return self.plans.get(id(code)) or self.add(code)

        def add(self, code):
            if code.co_name == "<module>":
                if self.top is not None and self.top != code:
                    tell(b"x", [0], self.name)
                self.top = code
            todo, functions = [code], []
            for c in todo:
                todo.extend(k for k in c.co_consts if type(k) is type(code))
                self.plans[id(c)] = Plan(self, c)
                if c.co_flags & 1 and (c.co_name == "<lambda>" or c.co_name[:1] != "<"):
                    functions.append(c.co_firstlineno)
            tell(b"f", functions, self.name)
            return self.plans[id(code)]

    # A line has run when each call in it has: copies of one call, which the
    # compiler makes for the ways out of a block, are one.
    class Plan:
        def __init__(self, file, code):
            self.file, self.code, self.at, self.seen, self.ran = file, code, {}, set(), False
            if not hasattr(code, "co_positions"):
                return
            start, before, text = None, [], code.co_code
            for i, where in enumerate(code.co_positions()):
                op = text[2 * i]
                if op == extended[0]:
                    start = 2 * i if start is None else start
                    continue
                if op in calls and where[0] and not leaves(code, before, text[2 * i + 1]):
                    for offset in (2 * i, start):
                        if offset is not None:
                            self.at[offset] = where
                    file.lines.setdefault(where[0], set()).add((id(code), where))
                if op not in silent:
                    before = before[-2:] + [(op, text[2 * i + 1])]
                start = None
            self.seen = set(self.at.values())

        def begin(self):
            if not self.ran:
                self.ran = True
                if self.code.co_flags & 1:
                    tell(b"r", [self.code.co_firstlineno], self.file.name)

        def reach(self, offset):
            where = self.at.get(offset)
            if where in self.seen:
                self.seen.discard(where)
                waiting = self.file.lines[where[0]]
                waiting.discard((id(self.code), where))
                if not waiting:
                    tell(b"l", [where[0]], self.file.name)

        def follow(self, frame):
            self.begin()
            if not hasattr(self.code, "co_positions"):
                return self.line
            if not self.seen:
                return None
            frame.f_trace_lines, frame.f_trace_opcodes = False, True
            return self.step

        def step(self, frame, event, arg):
            try:
                if event == "opcode":
                    self.reach(frame.f_lasti)
            except Exception:
                pass
            return self.step if self.seen else None

        # Before Python 3.11 there are no positions, and a line has run as soon
        # as it was reached.
        def line(self, frame, event, arg):
            try:
                if event == "line" and frame.f_lineno not in self.at:
                    self.at[frame.f_lineno] = True
                    tell(b"l", [frame.f_lineno], self.file.name)
            except Exception:
                pass
            return self.line

    # The call that a with statement makes at its end has three arguments None
    # and says two. An exception in the block leaves without it.
    def leaves(code, before, argument):
        return (argument == 2 and len(before) == 3 and before[0] == before[1] == before[2]
                and before[0][0] == constant[0] and code.co_consts[before[0][1]] is None)

    extended, constant, silent = [], [], set()

    def learn():
        from opcode import opmap
        extended.append(opmap["EXTENDED_ARG"])
        constant.append(opmap["LOAD_CONST"])
        silent.update(opmap[name] for name in ("CACHE", "PRECALL") if name in opmap)
        for name, op in opmap.items():
            if name.startswith("CALL") and "INTRINSIC" not in name or name == "IMPORT_NAME":
                calls.add(op)

    def known(name):
        at = name
        if at[:1] not in ("/", "<"):
            at = posix.getcwd() + "/" + at
        files[name] = File(at) if own(at) else "threading" if at.endswith("/threading.py") else False
        return files[name]

    def trace(frame, event, arg):
        try:
            code = frame.f_code
            file = files.get(code.co_filename)
            if file is None:
                file = known(code.co_filename)
            if file is False:
                return None
            if file == "threading":
                settrace = frame.f_globals.get("settrace")
                if settrace is not None:
                    files[code.co_filename] = False
                    settrace(trace)
                return None
            plan = file.plan(code)
            return plan.follow(frame)
        except Exception:
            return None

    # From Python 3.12 on there are events for single code objects, in all threads.
    def watch(monitoring):
        tool, events, off = 4, monitoring.events, monitoring.DISABLE

        def start(code, offset):
            try:
                file = files.get(code.co_filename)
                if file is None:
                    file = known(code.co_filename)
                if isinstance(file, File):
                    plan = file.plan(code)
                    plan.begin()
                    if plan.seen:
                        monitoring.set_local_events(tool, code, events.INSTRUCTION)
            except Exception:
                pass
            return off

        def step(code, offset):
            try:
                files[code.co_filename].plan(code).reach(offset)
            except Exception:
                pass
            return off

        monitoring.use_tool_id(tool, "code")
        monitoring.register_callback(tool, events.PY_START, start)
        monitoring.register_callback(tool, events.INSTRUCTION, step)
        monitoring.set_events(tool, events.PY_START)

    access(prefix + b"s python", 0)
    if hasattr(sys, "monitoring"):
        watch(sys.monitoring)
    else:
        sys.settrace(trace)


try:
    _()
except Exception:
    pass
del _
