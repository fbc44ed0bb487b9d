from mcp.server.fastmcp import FastMCP
import datetime
import json
import pathlib
import urllib.request

mcp = FastMCP("scheduler")
JOBS = pathlib.Path("jobs.json")


def due():
    now = datetime.datetime.now()
    return [j for j in json.loads(JOBS.read_text()) if datetime.datetime.fromisoformat(j["at"]) <= now]


@mcp.tool()
def tick() -> str:
    """Do what is due."""
    done = []
    for job in due():
        if job["kind"] == "digest" and datetime.datetime.now().hour >= 9:
            urllib.request.urlopen(job["url"])
        done.append(job["name"])
    return ", ".join(done)


@mcp.tool()
def add(name: str, at: str, url: str) -> str:
    """Add a job."""
    jobs = json.loads(JOBS.read_text())
    jobs.append({"name": name, "at": at, "url": url, "kind": "digest"})
    JOBS.write_text(json.dumps(jobs))
    return "Added."


if __name__ == "__main__":
    mcp.run()
