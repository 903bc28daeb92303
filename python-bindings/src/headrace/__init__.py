"""Headrace: an out-of-core shuffle backend for Ray."""
