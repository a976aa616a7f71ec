#!/usr/bin/env python3
"""Manual pages and shell completion of programs, from what they say of themselves (--options-json).

    help_pages.py --output FOLDER PROGRAM...

Writes, below FOLDER, man/man1/NAME.1 for every program and man/man7/treeline.7, an overview; bash-completion/completions/NAME,
zsh/vendor-completions/_NAME and fish/vendor_completions.d/NAME.fish. The same programs give the same bytes.
"""

import argparse
import json
import re
import shlex
import subprocess
from pathlib import Path

EXIT_CODES = (
    (0, "done, or up to date"),
    (1, "the system refused (no such file, no space), or the run was interrupted"),
    (2, "usage: options out of range or against each other; memory too small for the work"),
    (3, "bad input: what cannot be read or does not fit together"),
)


def is_argument(option):
    return not option["name"].startswith("-")


def spellings(option):
    return [option[key] for key in ("short", "name", "off") if key in option]


def takes_value(option):
    return option["kind"] != "flag"


# Manual pages


def roff(text):
    """Text as roff shows it: backslashes, hyphens and dots at the start of lines as they are."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", escaped, flags=re.MULTILINE)


def preformatted(text):
    return f".nf\n{roff(text.rstrip())}\n.fi\n"


def option_entry(option):
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in spellings(option))
    if is_argument(option):
        names = f"\\fI{roff(option['name'])}\\fR"
    value = f" \\fI{roff(option['type'])}\\fR" if takes_value(option) and not is_argument(option) else ""
    more = " (needed)" if option.get("required") else f" (default: {roff(option['default'])})" if option.get("default") else ""
    return f".TP\n{names}{value}{more}\n{roff(option['description'])}\n"


def option_section(options, level=".SH"):
    """The options by their groups, in order."""
    groups = {}
    for option in options:
        groups.setdefault(option["group"], []).append(option)
    titles = {"Options": "OPTIONS", "Common options": "COMMON OPTIONS", "Positionals": "ARGUMENTS"}
    return "".join(f"{level} {titles.get(group, group.upper())}\n" + "".join(map(option_entry, members)) for group, members in groups.items())


def synopsis(table):
    lines = []
    for command in table["commands"] or [table]:
        words = [table["name"]] + ([command["name"]] if table["commands"] else [])
        line = ".B " + roff(" ".join(words)) + "\n"
        for option in command["options"]:
            if option.get("required") and is_argument(option):
                line += f"\\fI{roff(option['name'])}\\fR\n"
            elif option.get("required"):
                line += f"\\fB{roff(option['name'])}\\fR \\fI{roff(option['type'])}\\fR\n"
        lines.append(line + "[\\fIOPTION\\fR]...\n")
    return ".br\n".join(lines)


def title(name, section, version):
    return f".TH {name.upper()} {section} \"\" \"Treeline {version}\" \"Treeline\"\n"


def first_sentence(table):
    return table["purpose"].split(". ")[0].rstrip(".").replace("\n", " ")


def manual_page(table, others):
    page = title(table["name"], 1, table["version"])
    page += f".SH NAME\n{table['name']} \\- {roff(first_sentence(table))}\n"
    page += f".SH SYNOPSIS\n{synopsis(table)}"
    page += f".SH DESCRIPTION\n{roff(table['purpose'])}\n"
    page += f".SS Reads\n{preformatted(table['reads'])}.SS Writes\n{preformatted(table['writes'])}"
    page += f".SH EXAMPLES\n{preformatted(table['example'])}"
    for command in table["commands"]:
        page += f".SH \"COMMAND {command['name'].upper()}\"\n{roff(command['purpose'])}\n"
        page += f".PP\n{preformatted(command['notes'])}" if command["notes"].strip() else ""
        page += option_section(command["options"], ".SS")
    page += option_section(table["options"])
    page += ".SH EXIT STATUS\n" + "".join(f".TP\n{code}\n{roff(meaning)}\n" for code, meaning in EXIT_CODES)
    page += ".SH SEE ALSO\n" + ", ".join(f"\\fB{name}\\fR({section})" for name, section in others) + "\n"
    return page


def overview(tables):
    page = title("treeline", 7, tables[0]["version"])
    page += ".SH NAME\ntreeline \\- tree\\-kernel learning as fast, readable linear models\n"
    page += ".SH DESCRIPTION\nEvery stage is a program of its own: it reads files, writes files, and nothing else.\n"
    for table in tables:
        page += f".TP\n\\fB{table['name']}\\fR(1)\n{roff(table['purpose'])}\n"
    page += ".SH RECIPES\n.TP\n\\fBtreeline\\-quickstart\\fR\nevery method on the sample that is installed: a table and a page with plots\n"
    page += ".TP\n\\fBtreeline\\-linearize\\fR \\-\\-train F \\-\\-test F \\-\\-work FOLDER\na linear model, by all stages\n"
    page += ".TP\n\\fBtreeline\\-compare\\fR \\-\\-train F \\-\\-test F \\-\\-work FOLDER\nevery method on the same data\n"
    return page


# Completion


def bash_cases(options):
    """What may follow an option, as branches of a case on the word before."""
    branches = []
    for option in options:
        names = "|".join(name for name in spellings(option) if name.startswith("-"))
        if not takes_value(option) or not names:
            continue
        if option["kind"] == "choice":
            branches.append(f"        {names}) COMPREPLY=($(compgen -W {shlex.quote(' '.join(option['choices']))} -- \"$word\")); return ;;")
        elif option["kind"] == "path":
            kind = "d" if option["type"] == "FOLDER" else "f"
            branches.append(f"        {names}) compopt -o filenames; COMPREPLY=($(compgen -{kind} -- \"$word\")); return ;;")
        else:
            branches.append(f"        {names}) return ;;")
    return branches


def bash_words(options):
    return " ".join(name for option in options for name in spellings(option) if name.startswith("-"))


def bash_completion(table):
    function = f"_treeline_{table['name']}"
    commands = {command["name"]: command["options"] for command in table["commands"]}
    lines = [
        f"# Completion of {table['name']} for bash.",
        f"{function}() {{",
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}",
        "    # --option=value comes as three words.",
        '    [ "$word" != = ] || word=""',
        '    [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}',
        "    COMPREPLY=()",
    ]
    if commands:
        lines += [
            "    local command= one",
            '    for one in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do',
            f'        case "$one" in {"|".join(commands)}) command=$one && break ;; esac',
            "    done",
        ]
    lines += ['    case "$before" in', *bash_cases(table["options"]), "    esac"]
    words = ['    local words=' + shlex.quote(bash_words(table["options"]))]
    if commands:
        words.append('    case "$command" in')
        for name, options in commands.items():
            words += [f"        {name})", '    case "$before" in', *bash_cases(options), "    esac", f"    words+={shlex.quote(' ' + bash_words(options))} ;;"]
        words.append(f"        '') words+={shlex.quote(' ' + ' '.join(commands))} ;;")
        words.append("    esac")
    lines += words
    lines += [
        f"    if [[ $word == -*{' || -z $command' if commands else ''} ]]; then",
        '        COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "    else",
        "        compopt -o filenames",
        '        COMPREPLY=($(compgen -f -- "$word"))',
        "    fi",
        "}",
        f"complete -F {function} {table['name']}",
    ]
    return "\n".join(lines) + "\n"


def short(text, most=100):
    """The first words of a description, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: line.rfind(" ", 0, most)] + " ..."


def zsh_specs(options):
    specs = []
    for option in options:
        described = re.sub(r"([][:\\])", r"\\\1", short(option["description"]))
        action = ""
        if takes_value(option):
            values = {"choice": f"({' '.join(option.get('choices', []))})", "path": "_files -/" if option["type"] == "FOLDER" else "_files"}
            action = ":" + re.sub(r"([:\\])", r"\\\1", option["type"]) + ":" + values.get(option["kind"], "")
        repeated = "*" if option.get("repeated") else ""
        if is_argument(option):
            specs.append(shlex.quote(("*" if repeated else "") + action))
            continue
        for name in spellings(option):
            specs.append(shlex.quote(f"{repeated}{name}{'=' if takes_value(option) and name.startswith('--') else ''}[{described}]{action}"))
    return " \\\n        ".join(specs)


def zsh_completion(table):
    lines = [f"#compdef {table['name']}", f"# Completion of {table['name']} for zsh.", ""]
    if not table["commands"]:
        return "\n".join(lines + ["_arguments -s \\", "        " + zsh_specs(table["options"])]) + "\n"
    commands = " ".join(shlex.quote(f"{command['name']}:{command['purpose']}".replace("\\", "\\\\")) for command in table["commands"])
    lines += [
        "local -a commands",
        f"commands=({commands})",
        "_arguments -C -s \\",
        "        " + zsh_specs(table["options"]) + " \\",
        "        '1:command:{_describe command commands}' \\",
        "        '*::argument:->command'",
        "[[ $state == command ]] || return",
        "case $words[1] in",
    ]
    for command in table["commands"]:
        lines += [f"    {command['name']})", "        _arguments -s \\", "        " + zsh_specs(command["options"] + table["options"]), "        ;;"]
    return "\n".join(lines + ["esac"]) + "\n"


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_lines(name, options, condition):
    for option in options:
        if is_argument(option):
            continue
        line = f"complete -c {name}{condition} -d {fish_quoted(short(option['description'], 70))}"
        if takes_value(option):
            line += {"choice": f" -x -a {fish_quoted(' '.join(option.get('choices', [])))}", "path": " -r"}.get(option["kind"], " -x")
        for spelling in spellings(option):
            yield line + (f" -l {spelling[2:]}" if spelling.startswith("--") else f" -s {spelling[1:]}")


def fish_completion(table):
    name = table["name"]
    lines = [f"# Completion of {name} for fish.", *fish_lines(name, table["options"], "")]
    names = " ".join(command["name"] for command in table["commands"])
    for command in table["commands"]:
        lines.append(f"complete -c {name} -f -n {fish_quoted('not __fish_seen_subcommand_from ' + names)} -a {command['name']} -d {fish_quoted(command['purpose'])}")
        lines += fish_lines(name, command["options"], f" -n {fish_quoted('__fish_seen_subcommand_from ' + command['name'])}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("programs", type=Path, nargs="+")
    options = parser.parse_args()
    tables = [json.loads(subprocess.run([program, "--options-json"], check=True, capture_output=True, text=True).stdout) for program in options.programs]
    pages = {"man/man7/treeline.7": overview(tables)}
    for table in tables:
        name = table["name"]
        others = [("treeline", 7)] + [(other["name"], 1) for other in tables if other["name"] != name]
        pages[f"man/man1/{name}.1"] = manual_page(table, others)
        pages[f"bash-completion/completions/{name}"] = bash_completion(table)
        pages[f"zsh/vendor-completions/_{name}"] = zsh_completion(table)
        pages[f"fish/vendor_completions.d/{name}.fish"] = fish_completion(table)
    for name, text in pages.items():
        path = options.output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
