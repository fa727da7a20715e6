#!/usr/bin/env python3
"""The page that docs/pages.md begins with, in a real Chromium. Prints a line for each claim, PASS or FAIL.

    snippet.py THRUMD
"""
import os
import re
import shutil
import sys
import tempfile

from claims import claim, end
from stage import Stage, repository, wait_for

with open(repository + "/docs/pages.md", encoding="utf-8") as page:
    text = page.read()
folder = tempfile.mkdtemp()
os.mkdir(folder + "/mine")
for language, name in (("html", "index.html"), ("js", "main.js")):
    (snippet,) = re.findall(f"\n```{language}\n(.*?)\n```\n", text, re.DOTALL)
    with open(f"{folder}/mine/{name}", "w", encoding="utf-8") as file:
        file.write(snippet + "\n")

stage = Stage(sys.argv[1], "mine", ["--experience", "colorscroller", "--seed", "7", "--www", folder])

try:
    words = lambda: stage.script("return document.getElementById('feed').textContent")
    wait_for(lambda: words() == "card 0: leaderboard", 20, "the first card")
    claim(True, "the page draws what is there")
    stage.swipe()
    wait_for(lambda: words() == "card 1: gray", 20, "the next card")
    claim(True, "a finger on it leads to the next card")
    stage.ask("session.end")
    wait_for(lambda: words() == "card 0: leaderboard", 20, "the next visit's first card")
    claim(True, "after a visit it draws anew")
    complaints = [complaint for complaint in stage.errors() if "favicon" not in complaint]
    claim(complaints == [], f"the browser has no complaint but that there is no icon: {complaints}")
finally:
    stage.close()
    shutil.rmtree(folder, ignore_errors=True)
end()
