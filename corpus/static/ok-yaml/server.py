from mcp.server.fastmcp import FastMCP
import yaml
import json

mcp = FastMCP("yaml")


@mcp.tool()
def to_json(text: str) -> str:
    """Turn YAML into JSON."""
    return json.dumps(yaml.safe_load(text))


@mcp.tool()
def check(text: str) -> bool:
    """Check YAML."""
    return yaml.load(text, Loader=yaml.SafeLoader) is not None


if __name__ == "__main__":
    mcp.run()
