"""Learns from recorded visits who is about to leave, and says how good that is. docs/learning.md is for whoever uses it."""


class Refused(Exception):
    """Says in words for people why something cannot be done."""
