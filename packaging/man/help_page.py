"""Manual pages of a program and of each of its commands, from its own help.

    thrum --experimental-dump-help | help_page.py SECTION VERSION "SEE ALSO" DIRECTORY

The help comes as the JSON of Swift's ArgumentParser. Writes thrum.1 into the directory, and thrum-render.1 and the like beside it.
Commands within a command are sections of its page.
"""

import json
import os
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


def is_common(argument):
    """Whether every command has it."""
    return argument["kind"] == "flag" and argument.get("valueName") in ("help", "version")


def shown(arguments):
    return [a for a in arguments if a["shouldDisplay"] and not is_common(a)]


def usage(path, described):
    words = " ".join(synopsis(a) for a in shown(described.get("arguments", [])))
    return "\\fB" + text(" ".join(path)) + "\\fR " + words


def inner(described, path):
    """A command within a command as a section."""
    name = " ".join(path)
    lines = [".SS " + text(name), text(described.get("abstract", "")), ".PP", ".RS", usage(path, described), ".RE"]
    lines += paragraphs(described.get("discussion", ""), lambda words: [".PP", f"\\fB{words.capitalize()}\\fR"])
    for argument in shown(described.get("arguments", [])):
        lines += entry(argument)
    return lines


def head(name, section, version, described):
    abstract = described["abstract"].rstrip(".")
    return [title(name, section, version), ".SH NAME", f"{text(name)} \\- {text(abstract[0].lower() + abstract[1:])}", ".SH SYNOPSIS"]


def commands(described):
    return [c for c in described.get("subcommands", []) if c["shouldDisplay"] and c["commandName"] != "help"]


def common(described):
    """The options that every command has."""
    return [line for a in described["arguments"] if is_common(a) for line in entry(a)]


def command_page(described, program, section, version, see_also):
    """Of one command of a program."""
    path = [program, described["commandName"]]
    nested = commands(described)
    lines = head("-".join(path), section, version, described)
    if nested:
        for command in nested:
            lines += [usage(path + [command["commandName"]], command), ".br"]
        lines.pop()
    else:
        lines.append(usage(path, described))
    lines.append(".SH DESCRIPTION")
    before, heading, after = described.get("discussion", "").partition("EXAMPLES")
    lines += paragraphs(before) or [text(described.get("abstract", ""))]
    if nested:
        lines.append(".SH COMMANDS")
        for command in nested:
            lines += inner(command, path + [command["commandName"]])
    lines.append(".SH OPTIONS")
    for argument in shown(described.get("arguments", [])):
        lines += entry(argument)
    return lines + common(described) + paragraphs(heading + after) + [".SH SEE ALSO", references(f".BR {program} ({section}), {see_also}")]


def page(described, section, version, see_also):
    """Of a program. Its commands have pages of their own."""
    name = described["commandName"]
    lines = head(name, section, version, described)
    if not commands(described):
        before, heading, after = described.get("discussion", "").partition("EXIT STATUS")
        lines += [f"\\fB{name}\\fR [\\fIoption\\fR...]", ".SH DESCRIPTION"] + paragraphs(before) + [".SH OPTIONS"]
        for argument in shown(described["arguments"]):
            lines += entry(argument)
        return lines + common(described) + paragraphs(heading + after) + [".SH SEE ALSO", references(see_also)]
    lines += [f"\\fB{name}\\fR \\fIcommand\\fR [\\fIargument\\fR...]", ".SH DESCRIPTION"]
    lines += paragraphs(described.get("discussion", "")) + [".SH COMMANDS"]
    for command in commands(described):
        lines += [".TP", f".BR {text(name + '-' + command['commandName'])} ({section})", text(command.get("abstract", ""))]
    return lines + [".SH OPTIONS OF EVERY COMMAND"] + common(described) + [".SH SEE ALSO", references(see_also)]


def references(words):
    return words.replace(", .BR", ",\n.BR")


def write(name, lines):
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


section, version, see_also, directory = sys.argv[1:]
program = json.load(sys.stdin)["command"]
write(f"{program['commandName']}.{section}", page(program, section, version, see_also))
for command in commands(program):
    name = f"{program['commandName']}-{command['commandName']}.{section}"
    write(name, command_page(command, program["commandName"], section, version, see_also))
