"""The translated kernel as a program of its own: extracted by Coq to OCaml, built, and asked for values.

Numbers stay Coq's own binary integers; nothing of Python or of a library for numbers is put in their place.  A call is
a line: the function's name and its arguments, integers in signed binary, a list as its length and its items, a tuple
as its items.  An answer is a line: 1 and the value where `f_safe` holds, else 0.
"""

import ast
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from dpspin.errors import UsageError
from dpspin_proofs import coq
from dpspin_proofs.shapes import Shape, Signature
from dpspin_proofs.subset import Subset
from dpspin_proofs.translate import translate

EXTRACTION = """\
From Coq Require Import Extraction ExtrOcamlBasic.
From DPSPIN Require Import Kernel.
{named}
Recursive Extraction {names}.
"""
PROGRAM = """\
open Extracted

let rest = ref []
let next () = match !rest with word :: others -> rest := others; word | [] -> failwith "an argument is missing"
let read_int () =
  let word = next () in
  let sign, digits =
    if word.[0] = '-' then (fun p -> Zneg p), String.sub word 1 (String.length word - 1) else (fun p -> Zpos p), word in
  if digits = "0" then Z0 else begin
    let number = ref XH in
    String.iteri (fun i c -> if i > 0 then number := if c = '1' then XI !number else XO !number) digits;
    sign !number
  end
let read_bool () = next () = "1"
let read_list item () =
  let rec items n = if n = 0 then [] else let first = item () in first :: items (n - 1) in
  items (int_of_string (next ()))

let out = Buffer.create 65536
let write word = Buffer.add_char out ' '; Buffer.add_string out word
let rec bits p after = match p with
  | XH -> "1" :: after | XO q -> bits q ("0" :: after) | XI q -> bits q ("1" :: after)
let write_int = function
  | Z0 -> write "0"
  | Zpos p -> write (String.concat "" (bits p []))
  | Zneg p -> write ("-" ^ String.concat "" (bits p []))
let write_bool b = write (if b then "1" else "0")
let write_list item values = write (string_of_int (List.length values)); List.iter item values

let answer () = match next () with
{cases}
  | name -> failwith name
let () =
  try while true do
    rest := String.split_on_char ' ' (input_line stdin); answer (); Buffer.add_char out '\\n'
  done with End_of_file -> print_string (Buffer.contents out)
"""
CASE = """\
  | "{name}" ->
    {reads}
    if defined_{name} {values} then begin write "1"; {write} (call_{name} {values}) end else write "0"\
"""


def builder() -> str | None:
    """OCaml's compiler, where there is one; Debian's package of Coq brings it."""
    return shutil.which("ocamlopt")


class Named(NamedTuple):
    """A function's parameters by name, and what it takes and gives."""

    parameters: tuple[str, ...]
    signature: Signature


def signatures(source: str) -> dict[str, Named]:
    """Every function of a module."""
    tree, subset = ast.parse(source), Subset("kernel.py")
    subset.module(tree)
    return {
        node.name: Named(tuple(each.arg for each in node.args.args), subset.functions[node.name])
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }


def build(coqc: str, ocaml: str, folder: Path, source: str, meaning: str) -> Path:
    """The program of a kernel, built in an empty folder.

    Args:
        coqc: Coq's compiler.
        ocaml: OCaml's compiler.
        folder: where everything is written.
        source: text of the kernel.
        meaning: text of PySem.v.

    Raises:
        UsageError: saying what one of the compilers refused.
    """
    functions = signatures(source)
    named = [f"Definition call_{name} := {name}. Definition defined_{name} := {name}_safe." for name in functions]
    names = " ".join(f"call_{name} defined_{name}" for name in functions)
    texts = {
        "PySem": meaning,
        "Kernel": translate(source, "kernel.py"),
        "Extract": EXTRACTION.format(named="\n".join(named), names=names),
    }
    extracted = ""
    for name, text in texts.items():
        extracted, failure = coq.compiled(coqc, folder, name, text, "default")
        if failure:
            raise UsageError(failure.place, failure.what, "mend the translation")
    (folder / "extracted.ml").write_text(extracted)
    (folder / "main.ml").write_text(PROGRAM.replace("{cases}", "\n".join(map(_case, functions, functions.values()))))
    done = coq.said([ocaml, "-w", "-a", "-o", "kernel", "extracted.ml", "main.ml"], folder)
    if done.returncode:
        raise UsageError("main.ml", " ".join(done.stderr.split())[:200], "mend the program")
    return folder / "kernel"


def answers(program: Path, lines: Iterable[str]) -> list[str]:
    """What the program answers to lines that are calls.

    Raises:
        UsageError: when it stops.
    """
    done = coq.said([str(program)], program.parent, "".join(f"{line}\n" for line in lines))
    if done.returncode:
        raise UsageError(program.name, " ".join(done.stderr.split())[:200] or "stopped", "ask for smaller sizes")
    return [line.strip() for line in done.stdout.splitlines()]


def words(value: object) -> str:
    """A value in the form of calls and answers."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int):
        return f"{value:b}"
    items = list(value) if isinstance(value, list | tuple) else []
    return " ".join([*([str(len(items))] if isinstance(value, list) else []), *map(words, items)])


def _case(name: str, function: Named) -> str:
    signature = function.signature
    reads = "\n    ".join(f"let a{i} = {_reader(shape)} () in" for i, shape in enumerate(signature.parameters))
    values = " ".join(f"a{i}" for i in range(len(signature.parameters)))
    return CASE.format(name=name, reads=reads, values=values, write=_writer(signature.result))


def _reader(shape: Shape) -> str:
    if shape.word == "list":
        return f"(read_list {_reader(shape.parts[0])})"
    if shape.word == "tuple":
        reads = " ".join(f"let x{i} = {_reader(part)} () in" for i, part in enumerate(shape.parts))
        return f"(fun () -> {reads} {_nested([f'x{i}' for i in range(len(shape.parts))])})"
    return f"read_{shape.word}"


def _writer(shape: Shape) -> str:
    if shape.word == "list":
        return f"(write_list {_writer(shape.parts[0])})"
    if shape.word == "tuple":
        names = [f"x{i}" for i in range(len(shape.parts))]
        writes = "; ".join(f"{_writer(part)} {name}" for part, name in zip(shape.parts, names, strict=True))
        return f"(fun {_nested(names)} -> {writes})"
    return f"write_{shape.word}"


def _nested(names: list[str]) -> str:
    """A tuple as Coq has it: pairs of pairs, to the left."""
    joined = names[0]
    for name in names[1:]:
        joined = f"({joined}, {name})"
    return joined
