"""A manual page from a page of docs/.

    markdown_page.py NAME SECTION VERSION "WHAT IT IS" "SEE ALSO" < docs/configuration.md > thrum.yaml.5

For what those pages use: headings, paragraphs, lists, tables, blocks of code, `code`, **bold**, links.
"""

import re
import sys

from troff import text, title

CODE = re.compile(r"(`[^`]+`(, )?)+")


def inline(words):
    """Code and bold come out bold, a link as its words."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)
    parts = re.split(r"(`[^`]+`|\*\*.+?\*\*)", words)
    return "".join("\\fB" + text(part.strip("`") if part[0] == "`" else part[2:-2].replace("`", "")) + "\\fR"
                   if part[:1] == "`" or part[:2] == "**" else text(part) for part in parts)


def table(rows):
    """A paragraph for each row: tables are too wide for a terminal. The first cells that are code, or else the first, are its tag."""
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))] for row in rows]
    head, lines = cells[0], []
    for row in cells[2:]:
        first = next(n for n, cell in enumerate(row) if cell)
        named = first + 1
        while named < len(row) and CODE.fullmatch(row[first]) and CODE.fullmatch(row[named]):
            named += 1
        lines += [".TP", inline(", ".join(cell for cell in row[:named] if cell))]
        said = [(f"{heading}: " if heading else "") + cell for heading, cell in zip(head[named:], row[named:]) if cell]
        lines += [inline("; ".join(said)) or "\\&"]
    return lines


def code(block):
    return [".PP", ".RS 4", ".nf", *[text(line) for line in block], ".fi", ".RE"]


def body(source):
    lines, at, result = source.split("\n"), 0, []
    while at < len(lines):
        line, start = lines[at], at
        at += 1
        if line.startswith(("# ", "<!--")) or not line.strip():
            continue
        if line.startswith("#"):
            depth, words = len(line) - len(line.lstrip("#")), line.lstrip("# ")
            result.append((".SH " if depth == 2 else ".SS ") + text(words.upper() if depth == 2 else words))
        elif line.startswith("```"):
            while not lines[at].startswith("```"):
                at += 1
            result += code(lines[start + 1:at])
            at += 1
        elif line.startswith("    "):
            while at < len(lines) and lines[at].startswith("    "):
                at += 1
            result += code([l[4:] for l in lines[start:at]])
        elif line.startswith("|"):
            while at < len(lines) and lines[at].startswith("|"):
                at += 1
            result += table(lines[start:at])
        else:
            item = re.match(r"(-|\d+\.) ", line)
            while at < len(lines) and lines[at].strip() and not re.match(r"#|```|\||- |\d+\. ", lines[at]):
                at += 1
            words = [l.strip() for l in lines[start:at]]
            if item:
                words[0] = words[0][item.end():]
                result += [f".IP {chr(92)}(bu 2" if item[1] == "-" else f".IP {item[1]} 4"]
            else:
                result += [".PP"]
            result += [inline(" ".join(words))]
    return result


name, section, version, what, see_also = sys.argv[1:]
page = [title(name, section, version), ".SH NAME", f"{name} \\- {text(what)}", *body(sys.stdin.read()), ".SH SEE ALSO", see_also.replace(", .BR", ",\n.BR")]
print("\n".join(page))
