//! Serves the app, passes model streams through, limits and meters them.
