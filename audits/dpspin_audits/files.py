"""Files in and out: whole or not at all.

A folder of results is written under a temporary name beside its place, forced to disk and renamed.  Whatever happens in
between, a full disk or a kill, nothing half-written stands under the final name.
"""

import os
import secrets
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from dpspin.errors import UsageError


def read(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        UsageError: naming the file, when it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(str(path), f"cannot be read ({error.strerror})", "name a readable file") from error


def read_folder(folder: Path) -> dict[str, bytes]:
    """Names and bytes of the files in a folder; a folder within it is named and holds no bytes.

    Raises:
        UsageError: naming what cannot be read.
    """
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise UsageError(str(folder), f"cannot be read ({error.strerror})", "name a readable folder") from error
    return {entry.name + "/" * entry.is_dir(): b"" if entry.is_dir() else read(entry) for entry in entries}


def write(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write one file, replacing an older one as a whole.

    Raises:
        UsageError: when it cannot be written; an older file is then as it was.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        write_new(temporary, [data], mode)
        temporary.replace(path)
    except OSError as error:
        raise UsageError(
            str(path), f"cannot be written ({error.strerror})", "make room or name another file"
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


def write_new(path: Path, parts: Iterable[bytes], mode: int = 0o666) -> None:
    """A new file, part by part and forced to disk; errors of the system pass through."""
    with open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())


def is_name(text: str) -> bool:
    """Whether a text names a file in a folder and leads nowhere else."""
    return text not in {"", ".", ".."} and not {"/", os.sep, "\0"} & set(text)


class Staging:
    """A folder in the making; use as a context manager, then `put` files and `publish`.

    It is made before anything is charged or computed, so that a place that cannot be written is found out first.
    Without `publish`, it is gone when the context ends.
    """

    def __init__(self, final: Path, mode: int = 0o755) -> None:
        """Mode: of the folder; its files are open to whom it is, as far as the umask allows."""
        self.final = final
        self._path = final.parent / f".{final.name}.{secrets.token_hex(6)}.tmp"
        self._mode = mode

    def __enter__(self) -> "Staging":
        """Make the temporary folder.

        Raises:
            UsageError: when the place is taken by something or cannot be written.
        """
        try:
            self.final.parent.mkdir(parents=True, exist_ok=True)
            self._path.mkdir(mode=self._mode)
        except OSError as error:
            raise UsageError(str(self.final), f"cannot be written ({error.strerror})", "name another folder") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self._path, ignore_errors=True)

    def put(self, files: Mapping[str, bytes], folder: str = "") -> None:
        """Write files, forced to disk.

        Raises:
            UsageError: when the disk does not take them, or a name leads elsewhere.
        """
        for name in files:
            if not is_name(name):
                raise UsageError(f"{self.final}: {name!a}", "not the name of a file", "give released files plain names")
        try:
            target = self._path / folder
            target.mkdir(exist_ok=True)
            for name, data in files.items():
                write_new(target / name, [data], self._mode & 0o666)
        except OSError as error:
            raise UsageError(
                str(self.final),
                f"cannot be written ({error.strerror}); nothing was left there",
                "make room and run again",
            ) from error

    def publish(self, *, replace: frozenset[str] = frozenset()) -> None:
        """Move the folder to its place; an older one is replaced only if it holds nothing but names in `replace`.

        Raises:
            UsageError: when the place is taken.
        """
        old = self._path.with_suffix(".old")
        try:
            if self.final.exists():
                check_free(self.final, replace=replace)
                self.final.rename(old)
            self._path.rename(self.final)
        except OSError as error:
            with suppress(OSError):
                old.rename(self.final)
            raise UsageError(
                str(self.final), f"cannot be replaced ({error.strerror})", "name another folder"
            ) from error
        shutil.rmtree(old, ignore_errors=True)


def check_free(final: Path, *, replace: frozenset[str] = frozenset()) -> None:
    """Refuse a place that is taken by anything other than an older result of the same kind.

    Raises:
        UsageError: naming the place.
    """
    if not final.exists() and not final.is_symlink():
        return
    if not replace or not final.is_dir() or final.is_symlink():
        raise UsageError(str(final), "exists already", "name a new folder; results are never overwritten")
    foreign = sorted({entry.name for entry in final.iterdir()} - replace)
    if foreign:
        raise UsageError(str(final), f"holds {foreign[0]!r}, which no audit wrote", "name another folder")
