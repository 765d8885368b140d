"""The group: help, versions, exit codes and one-line errors."""

import re
import subprocess
import sys

import pytest

from dpspin import __version__
from dpspin_audits.cli import main


def test_help_lists_every_command_and_every_exit_code(dpspin):
    shown = dpspin("--help")
    assert shown.code == 0
    assert all(re.search(rf"^  {name} ", shown.out, re.MULTILINE) for name in main.COMMANDS)
    assert all(f"{code} " in " ".join(shown.out.split()) for code in (0, 1, 2, 3, 4, 5, 70))


def test_help_imports_no_heavy_module():
    program = (
        "import sys; sys.argv = ['dpspin', '--help']\n"
        "from dpspin_audits.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'scipy', 'pydantic', 'rich', 'lark', 'dp_accounting'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", sorted(main.COMMANDS))
def test_every_command_explains_itself_in_the_words_of_the_list(dpspin, command):
    shown = dpspin(command, "--help")
    assert shown.code == 0
    assert shown.out.startswith("Usage: dpspin")
    assert main.group.get_command(None, command).name == command


def test_commands_of_packages_above_are_found_by_their_entry_point(dpspin):
    assert re.search(r"^  experiment ", dpspin("--help").out, re.MULTILINE)
    assert dpspin("experiment", "--help").code == 0
    assert "experiment" in main.group.list_commands(None)


def test_without_the_entry_point_there_is_no_such_command(dpspin, monkeypatch):
    monkeypatch.setattr(main, "entry_points", lambda group: ())
    assert "experiment" not in dpspin("--help").out
    assert dpspin("experiment").code == 2


def test_an_entry_point_that_is_not_known_is_not_offered(monkeypatch):
    stranger = main.EntryPoint("stranger", "nowhere:command", main.ADDED)
    monkeypatch.setattr(main, "entry_points", lambda group: (stranger,))
    assert main.added() == {}
    assert main.group.get_command(None, "stranger") is None


def test_version(dpspin):
    assert dpspin("--version").out == f"dpspin, version {__version__}\n"


@pytest.mark.parametrize("arguments", [["nonsense"], ["audit", "--nonsense"], ["release"], ["schema", "nonsense"]])
def test_wrong_usage_exits_2_without_a_traceback(dpspin, arguments):
    run = dpspin(*arguments)
    assert run.code == 2
    assert "Error" in run.err
    assert "Traceback" not in run.err


def test_an_unforeseen_error_is_one_line_and_exit_70_unless_debugging(dpspin, monkeypatch):
    monkeypatch.setitem(main.COMMANDS, "schema", ("dpspin_audits.cli.nowhere:schema", ""))
    run = dpspin("schema", "deployment")
    assert run.code == 70
    assert run.err == "dpspin: internal error (ModuleNotFoundError); set DPSPIN_DEBUG=1 to see where\n"
    monkeypatch.setenv("DPSPIN_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["dpspin", "schema", "deployment"])
    with pytest.raises(ModuleNotFoundError):
        main.main()
