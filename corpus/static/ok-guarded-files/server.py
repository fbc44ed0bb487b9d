from mcp.server.fastmcp import FastMCP
import fnmatch
import os
import pathlib

mcp = FastMCP("files")
BLOCKED = [".ssh/*", ".aws/credentials", ".netrc", ".gnupg/*", ".npmrc", "*.pem", ".config/gcloud/*"]
SENSITIVE_NAMES = ("id_rsa", "id_ed25519", ".bash_history")
ROOT = pathlib.Path(os.environ.get("FILES_ROOT", ".")).resolve()


@mcp.tool()
def read(path: str) -> str:
    """Read a file below the root."""
    target = (ROOT / path).resolve()
    if not target.is_relative_to(ROOT) or any(fnmatch.fnmatch(path, b) for b in BLOCKED) or target.name in SENSITIVE_NAMES:
        raise PermissionError(path)
    return target.read_text()


if __name__ == "__main__":
    mcp.run()
