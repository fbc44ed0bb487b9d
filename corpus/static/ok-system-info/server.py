from mcp.server.fastmcp import FastMCP
import os
import platform
import shutil
import socket

mcp = FastMCP("system")


@mcp.tool()
def info() -> dict:
    """Tell the name, the system, the memory and the disks of this machine."""
    memory = open("/proc/meminfo").readline()
    disk = shutil.disk_usage("/")
    return {"host": socket.gethostname(), "system": platform.system(), "cpus": os.cpu_count(), "memory": memory, "free": disk.free}


@mcp.tool()
def busy() -> bool:
    """Tell whether the machine is busy."""
    return os.getloadavg()[0] > (os.cpu_count() or 1)


if __name__ == "__main__":
    mcp.run()
