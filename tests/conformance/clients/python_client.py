"""The official Python SDK's client against the native host, over stdio and HTTP, in both eras.

    python python_client.py <the program conformance-host> <address of one that runs>

Does five things over each and prints a line for each; ends with 1 when one went wrong.
"""

import sys
import tempfile
import warnings
from contextlib import asynccontextmanager
from importlib.metadata import version

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

# What only the older era has is marked as such by the SDK; here it is what is tested.
warnings.simplefilter("ignore")

LIST = "todo://list"
WAIT_S = 10


class Wrong(Exception):
    """An answer that is not what it should be."""


def check(is_right, words):
    if not is_right:
        raise Wrong(words)


async def lists(client, _heard):
    tools = [tool.name for tool in (await client.list_tools()).tools]
    check("todo_create" in tools and "test_simple_text" in tools, tools)
    resources = [str(resource.uri) for resource in (await client.list_resources()).resources]
    check(LIST in resources, resources)
    prompts = (await client.list_prompts()).prompts
    return f"{len(tools)} tools, {len(resources)} resources, {len(prompts)} prompts"


async def calls_with_progress(client, _heard):
    told = []

    async def tell(progress, total, _message):
        told.append((progress, total))

    result = await client.call_tool("test_tool_with_progress", {}, progress_callback=tell)
    check(not result.is_error and result.content[0].text == "Done, with progress", result)
    # The SDK gives each notification to a task of its own.
    await anyio.sleep(0.1)
    check(sorted(told) == [(0, 100), (50, 100), (100, 100)], told)
    return f"{len(told)} notifications"


async def answers_a_form(client, heard):
    tool = "test_input_required_result_elicitation"
    result = await client.call_tool(tool, {})
    check(result.content[0].text == "Hello, Ada!", result)
    check(heard["forms"] == ["What is your name?"], heard["forms"])
    return result.content[0].text


async def sees_an_update(client, heard):
    async def write():
        result = await client.call_tool("todo_create", {"title": "from Python"})
        check(not result.is_error, result)

    with anyio.fail_after(WAIT_S):
        if client.protocol_version >= "2026-07-28":
            async with client.listen(resource_subscriptions=[LIST]) as subscription:
                await write()
                async for event in subscription:
                    check(event.uri == LIST, event)
                    break
        else:
            await client.subscribe_resource(LIST)
            await write()
            while LIST not in heard["updated"]:
                await anyio.sleep(0.05)
            await client.unsubscribe_resource(LIST)
    contents = (await client.read_resource(LIST, cache_mode="bypass")).contents
    check("from Python" in contents[0].text, contents)
    return f"{LIST} was updated"


async def cancels_a_call(client, _heard):
    began = anyio.Event()

    async def tell(*_):
        began.set()

    async with anyio.create_task_group() as group:

        async def call():
            await client.call_tool("test_slow_write", {}, progress_callback=tell)
            raise Wrong("the call came to its end")

        group.start_soon(call)
        with anyio.fail_after(WAIT_S):
            await began.wait()
        group.cancel_scope.cancel()
    # Two seconds after it began it would have written.
    await anyio.sleep(2.5)
    found = await client.call_tool("todo_list", {})
    check("written by test_slow_write" not in found.content[0].text, found)
    return "nothing was written"


THINGS = [
    ("list", lists),
    ("call with progress", calls_with_progress),
    ("elicit", answers_a_form),
    ("subscribe", sees_an_update),
    ("cancel", cancels_a_call),
]


@asynccontextmanager
async def connected(mode, transport, program, url):
    heard = {"forms": [], "updated": []}

    async def form(_context, params):
        heard["forms"].append(params.message)
        return ElicitResult(action="accept", content={"name": "Ada"})

    async def message(message):
        method = getattr(message, "method", None) or getattr(getattr(message, "root", None), "method", None)
        if method == "notifications/resources/updated":
            heard["updated"].append(str(getattr(message, "root", message).params.uri))

    with tempfile.TemporaryDirectory() as folder:
        if transport == "stdio":
            server = StdioServerParameters(command=program, args=[folder, "--stdio"])
        else:
            server = streamable_http_client(url)
        async with Client(server, mode=mode, elicitation_callback=form, message_handler=message) as client:
            yield client, heard


async def main(program, url):
    name = f"Python mcp {version('mcp')}"
    wrong = 0
    for mode in ["auto", "legacy"]:
        for transport in ["stdio", "http"]:
            async with connected(mode, transport, program, url) as (client, heard):
                how = f"{name}  {mode} ({client.protocol_version})  {transport}"
                for thing, do in THINGS:
                    try:
                        print(f"ok      {how}  {thing}: {await do(client, heard)}", flush=True)
                    except Exception as error:
                        wrong += 1
                        print(f"FAILED  {how}  {thing}: {error!r}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python_client.py <the program conformance-host> <address>")
    sys.exit(anyio.run(main, *sys.argv[1:]))
