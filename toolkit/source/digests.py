"""The hash by which contents are known again, without the load of OpenSSL that ``hashlib`` brings along.

The standard library takes its own lean modules in the same way where the start counts (``random``).
"""

try:
    from _blake2 import blake2b
except ImportError:  # another Python
    from hashlib import blake2b

__all__ = ["blake2b"]
