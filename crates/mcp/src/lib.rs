//! A transport-free MCP server core with typed tools, and the client's side of the codec.
