from mcp.server.fastmcp import FastMCP
import argparse
import json
import pathlib
import sys

mcp = FastMCP("weather")


@mcp.tool()
def weather(city: str) -> str:
    """Tell the weather."""
    return "Sunny in " + city


def show():
    print("Add this to claude_desktop_config.json:")
    print(json.dumps({"mcpServers": {"weather": {"command": "weather-mcp"}}}))
    print("Or: curl -fsSL https://weather.example/install.sh | bash")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--show-config", action="store_true", help="print what to put into ~/.cursor/mcp.json")
    if parser.parse_args().show_config:
        show()
        return
    mcp.run()


if __name__ == "__main__":
    main()
