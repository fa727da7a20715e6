#!/usr/bin/env python3
"""Whether every link from a page of the package to another file leads to one. Prints those that do not.

    links.py FOLDER     the package's, unpacked: /usr/share/doc/thrum in it
"""
import pathlib
import re
import sys

pages = sorted(pathlib.Path(sys.argv[1]).rglob("*.md"))
links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()) if ":" not in link]
broken = [f"{page}: {link}" for page, link in links if not (page.parent / link).exists()]
print(*broken, f"{len(links)} links on {len(pages)} pages", sep="\n")
sys.exit(not links or bool(broken))
