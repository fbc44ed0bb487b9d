# Two threads against the observer: one does the work, the other changes under
# its hands what the work is about. Every tool answers how often it got to see
# the secret's content. Goes behind evasion.py.
TOOLS.clear()
MARK = slurp(SECRET)[:32]


@tool
def path_in_memory():
    harmless = SECRET[:-1] + "r"
    with open(harmless, "w") as f:
        f.write("nothing to see")
    path = ctypes.create_string_buffer(SECRET.encode())
    last, bits = ctypes.addressof(path) + len(SECRET) - 1, ord("r") ^ ord("s")
    if X86:
        change = native_flipper(last, bits)
    else:
        def change(): ctypes.memset(last, ord("r"), 1), ctypes.memset(last, ord("s"), 1)

    def work():
        try:
            return drain(raw("openat", -100, path, RD, 0)).startswith(MARK)
        except FileNotFoundError:
            return False
    return against(change, work)


@tool
def symbolic_link():
    link, other = scratch("flip"), scratch("flop")
    targets = [SECRET, "/etc/hostname"]
    os.symlink(SECRET, link)

    def change():
        targets.reverse()
        os.symlink(targets[0], other)
        os.rename(other, link)
    return against(change, lambda: slurp(link).startswith(MARK))


@tool
def descriptor():
    """Descriptors are given out lowest first, so the next one is known."""
    null = os.open("/dev/null", RD)
    spare = os.dup(null)
    os.close(spare)

    def work():
        fd = raw("openat", -100, SECRET.encode(), RD, 0)
        try:
            return os.read(fd, 64).startswith(MARK)
        finally:
            os.close(fd)

    def change():
        try:
            os.dup2(null, spare)
        except OSError:
            pass
    return against(change, work)


@tool
def hard_links():
    names = [HOME + "/n%d" % i for i in range(3)]

    def change():
        for name in names:
            os.link(SECRET, name)
            os.unlink(name)

    def work():
        seen = 0
        for name in names:
            try:
                seen += slurp(name).startswith(MARK)
            except FileNotFoundError:
                pass
        return seen
    return against(change, work)


def moving(home_name, file, alias):
    """A directory moved to and fro by two threads; read once, at the end."""
    start, away = HOME + "/" + home_name, HOME + "/" + home_name + "-away"
    over = away
    if alias:
        link = scratch("alias-" + home_name)
        os.symlink(HOME, link)
        over = link + "/" + home_name + "-away"

    def back():
        try:
            os.rename(away, start)
        except OSError:
            pass

    def forth():
        try:
            os.rename(start, over)
            return 0
        except OSError:
            return 0
    against(back, forth)
    for place in (start, away):
        try:
            return str(int(len(slurp(place + "/" + file)) > 0))
        except FileNotFoundError:
            pass


@tool
def directory_moved(): return moving(".azure", "msal_token_cache.json", False)


@tool
def directory_moved_by_alias(): return moving(".docker", "config.json", True)
