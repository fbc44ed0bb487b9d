# Makes a virtual environment and installs into it with pip. Of several ways to install,
# all but the last one obey the lock file. Then it installs the npm packages that a Python
# package would install itself when it is first used: at that time no registry answers.
import glob, json, os, re, subprocess, sys, venv

ways, seconds, separator, unlocked = json.loads(sys.argv[1])
asks_for_npm = re.compile(r"""["']npm["'], *["'](?:install|ci|i)["']|["']npm (?:install|ci|i)\b""")
most_folders, most_sources, most_bytes, npm_seconds = 3, 400, 1 << 20, 180


def installs_itself(package):
    """Tells whether a source of a Python package runs npm install."""
    sources = glob.iglob(os.path.join(glob.escape(package), "**", "*.py"), recursive=True)
    for source, _ in zip(sources, range(most_sources)):
        if os.path.isfile(source):
            with open(source, encoding="utf-8", errors="replace") as text:
                if asks_for_npm.search(text.read(most_bytes)):
                    return True
    return False


def wants_packages(manifest):
    try:
        with open(manifest, encoding="utf-8") as text:
            return bool(json.loads(text.read(most_bytes)).get("dependencies"))
    except (OSError, ValueError, AttributeError):
        return False


def install_npm_packages(site):
    """Runs npm install beside the package.json files of Python packages that do so."""
    manifests = [m for depth in ("*", "*/*", "*/*/*") for m in glob.glob(os.path.join(site, depth, "package.json"))]
    left = most_folders
    for manifest in sorted(manifests):
        folder = os.path.dirname(manifest)
        package = os.path.join(site, os.path.relpath(folder, site).split(os.sep)[0])
        if "node_modules" in folder or os.path.exists(os.path.join(folder, "node_modules")):
            continue
        if left > 0 and wants_packages(manifest) and installs_itself(package):
            left -= 1
            try:
                subprocess.call(["npm", "install", "--omit=dev"], cwd=folder, timeout=npm_seconds)
            except (OSError, subprocess.TimeoutExpired) as problem:
                print("npm install in", folder, "failed:", problem, file=sys.stderr)


def install():
    """Returns the exit code."""
    *locked, last = [[python] + way for way in ways]
    for way in locked:
        try:
            if subprocess.call(way, timeout=seconds) == 0:
                return 0
        except subprocess.TimeoutExpired:
            print("ERROR: it took more than", seconds, "seconds", file=sys.stderr)
    if locked:
        print(separator, file=sys.stderr, flush=True)
    return subprocess.call(last) or (unlocked if locked else 0)


venv.create(".venv", symlinks=True, with_pip=len(sys.argv) > 2)
python = os.path.abspath(".venv/bin/python")
code = install()
if code in (0, unlocked):
    for site in glob.glob(".venv/lib/python*/site-packages"):
        install_npm_packages(site)
sys.exit(code)
