"""A program's manual page, from its own help.

    thrum --experimental-dump-help | help_page.py SECTION VERSION "SEE ALSO" > thrum.1

The help comes as the JSON of Swift's ArgumentParser. Subcommands are sections of the one page.
"""

import json
import re
import sys

from troff import text, title


def names(argument):
    return ["-" * (2 if name["kind"] == "long" else 1) + name["name"] for name in argument.get("names", [])]


def synopsis(argument):
    """How an argument stands in the usage line."""
    value = "\\fI" + text(argument.get("valueName", "")) + "\\fR"
    if argument["kind"] == "positional":
        word = value
    else:
        word = "\\fB" + text(names(argument)[0]) + "\\fR"
        if argument["kind"] == "option":
            word += " " + value
    word += "..." if argument["isRepeating"] else ""
    return f"[{word}]" if argument["isOptional"] else word


def entry(argument):
    """An argument as a tagged paragraph."""
    value = " \\fI" + text(argument.get("valueName", "")) + "\\fR" if argument["kind"] != "flag" else ""
    tag = ", ".join("\\fB" + text(name) + "\\fR" for name in names(argument)) + value
    said = argument.get("abstract", "")
    if "defaultValue" in argument and argument["kind"] != "flag" and "(default:" not in said:
        said += f" (default: {argument['defaultValue']})"
    return [".TP", tag.strip(), text(said)]


def paragraphs(discussion, heading=lambda words: [".SH " + words]):
    """Indented lines are kept as they are, lines in capitals are headings, the rest is text."""
    lines = []
    for block in re.split(r"\n\s*\n", discussion.strip("\n")):
        head, _, rest = block.partition("\n")
        if re.fullmatch(r"[A-Z][A-Z ]+", head):
            lines += heading(head)
            block = rest
        if not block:
            continue
        if all(line.startswith(" ") for line in block.split("\n")):
            lines += [".PP", ".nf", text(block), ".fi"]
        else:
            lines += [".PP", text("\n".join(line.strip() for line in block.split("\n")))]
    return lines


def shown(arguments):
    """Those of every command are told once, with the program."""
    return [a for a in arguments if a["shouldDisplay"] and a.get("valueName") not in ("help", "version")]


def command(described, path):
    name = " ".join(path + [described["commandName"]])
    lines = [".SS " + text(name), text(described.get("abstract", ""))]
    arguments = shown(described.get("arguments", []))
    nested = [c for c in described.get("subcommands", []) if c["shouldDisplay"]]
    if not nested:
        lines += [".PP", ".RS", "\\fB" + text(name) + "\\fR " + " ".join(synopsis(a) for a in arguments), ".RE"]
    lines += paragraphs(described.get("discussion", ""), lambda words: [".PP", f"\\fB{words.capitalize()}\\fR"])
    for argument in arguments:
        lines += entry(argument)
    for inner in nested:
        lines += command(inner, path + [described["commandName"]])
    return lines


def page(described, section, version, see_also):
    name = described["commandName"]
    abstract = described["abstract"].rstrip(".")
    commands = [c for c in described.get("subcommands", []) if c["shouldDisplay"] and c["commandName"] != "help"]
    usage = "\\fIcommand\\fR [\\fIargument\\fR...]" if commands else "[\\fIoption\\fR...]"
    lines = [title(name, section, version), ".SH NAME", f"{name} \\- {text(abstract[0].lower() + abstract[1:])}",
             ".SH SYNOPSIS", f"\\fB{name}\\fR {usage}", ".SH DESCRIPTION"]
    if commands:
        lines += paragraphs(described.get("discussion", ""))
        lines += [".SH COMMANDS"]
        for inner in commands:
            lines += command(inner, [name])
        lines += [".SH OPTIONS OF EVERY COMMAND"]
    else:
        before, heading, after = described.get("discussion", "").partition("EXIT STATUS")
        lines += paragraphs(before) + [".SH OPTIONS"]
        for argument in shown(described["arguments"]):
            lines += entry(argument)
    for argument in described["arguments"]:
        if argument.get("valueName") in ("help", "version"):
            lines += entry(argument)
    if not commands and heading:
        lines += paragraphs(heading + after)
    lines += [".SH SEE ALSO", see_also.replace(", .BR", ",\n.BR")]
    return "\n".join(lines) + "\n"


section, version, see_also = sys.argv[1:]
sys.stdout.write(page(json.load(sys.stdin)["command"], section, version, see_also))
