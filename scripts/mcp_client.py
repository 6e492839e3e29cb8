"""Drive `etwkit mcp` with the official Python client of the Model Context Protocol.

    python3 -m venv venv && venv/bin/pip install mcp
    venv/bin/python scripts/mcp_client.py target/release/etwkit fixtures/hello.etl

Prints what was checked, and fails with an exception at the first answer that is wrong.
"""

import asyncio
import json
import subprocess
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PAGE = 2


# Calls of tools, and the member of their answers that has the page.
CALLS = [
    ("analyze", {"name": "events", "limit": 3}, "rows"),
    ("profile", {"by": "event", "rows": "process"}, "rows"),
    ("profile", {"by": "event", "format": "tree", "fold": 0.5}, "lines"),
    ("profile", {"by": "event", "format": "folded", "limit": 2}, "lines"),
    ("spans", {}, "rows"),
    ("spans", {"list": True, "pair": ["1:2"]}, "rows"),
    ("spans", {"tree": True, "limit": 5}, "rows"),
    ("symbols", {}, "rows"),
    ("symbols", {"format": "manifest"}, "lines"),
]


def is_error(result):
    """Return whether a call failed."""
    return getattr(result, "is_error", getattr(result, "isError", False))


def content(result):
    """Return the content of a successful call. Version 1 of the client spells its members in camel case."""
    assert not is_error(result), result
    structured = getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)
    assert structured == json.loads(result.content[0].text)
    return structured


async def check(program, trace):
    printed = subprocess.run([program, "dump", trace], capture_output=True, check=True, text=True).stdout
    events = [json.loads(line) for line in printed.splitlines()]
    parameters = StdioServerParameters(command=program, args=["mcp"])
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        started = await session.initialize()
        version = getattr(started, "protocol_version", None) or getattr(started, "protocolVersion")
        print("protocol", version)
        tools = (await session.list_tools()).tools
        print("tools", ", ".join(tool.name for tool in tools))
        opened = content(await session.call_tool("open", {"paths": [trace]}))
        assert opened["info"]["events"] == len(events), opened
        rows, cursor = [], None
        while True:
            arguments = {"trace": opened["trace"], "limit": PAGE}
            if cursor:
                arguments["cursor"] = cursor
            page = content(await session.call_tool("events", arguments))
            rows += page["rows"]
            cursor = page.get("next_cursor")
            if cursor is None or len(rows) >= 10 * PAGE:
                break
        assert rows == events[: len(rows)], "pages differ from dump"
        print("events", len(rows), "of", len(events), "in pages of", PAGE)
        content(await session.call_tool("count", {"trace": opened["trace"], "group_by": ["provider"]}))
        content(await session.call_tool("info", {"trace": opened["trace"]}))
        content(await session.call_tool("analyze", {"trace": opened["trace"]}))
        content(await session.call_tool("diff", {"before": opened["trace"], "after": opened["trace"]}))
        for name, arguments, member in CALLS:
            answer = content(await session.call_tool(name, {"trace": opened["trace"], **arguments}))
            assert isinstance(answer[member], list), answer
            print(name, arguments, len(answer[member]), member)
        failed = await session.call_tool("count", {"trace": "none"})
        assert is_error(failed), failed
        print("an error comes as a result:", failed.content[0].text)


if __name__ == "__main__":
    asyncio.run(check(*sys.argv[1:3]))
