"""What both makers of manual pages have in common: text for troff, and the first line of a page."""

import os
import time

SYMBOLS = {"−": "\\-", "…": "...", "→": "\\(->", "≤": "\\(<=", "≥": "\\(>=", "×": "\\(mu", "–": "\\(en", "—": "\\(em", "µ": "\\(mc", "²": "\\(S2"}


def text(words):
    """Plain text as troff, so that it comes out as it is: no requests, no escapes, and hyphens that can be copied to a shell."""
    words = words.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha").replace("~", "\\(ti").replace("`", "\\(ga")
    for symbol, escape in SYMBOLS.items():
        words = words.replace(symbol, escape)
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in words.split("\n"))


def title(name, section, version):
    """With the date of SOURCE_DATE_EPOCH, so that the same source makes the same page."""
    day = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    return f'.TH {text(name.upper())} {section} {day} "Thrum {version}" Thrum\n.ad l\n.nh'
