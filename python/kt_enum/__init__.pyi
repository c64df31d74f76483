from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from os import PathLike
from typing import Any, Literal, NamedTuple, SupportsIndex, TypedDict, Union, final, overload

from typing_extensions import TypeAlias, Unpack

__version__: str

_Size: TypeAlias = Union[SupportsIndex, str, tuple[SupportsIndex, SupportsIndex], None]
_Square: TypeAlias = Union[str, tuple[SupportsIndex, SupportsIndex], object]
_Text: TypeAlias = Union[str, PathLike[str]]
_Time: TypeAlias = Union[float, timedelta, None]
_Bytes: TypeAlias = Union[SupportsIndex, str, None]
_Progress: TypeAlias = Union[bool, Callable[[dict[str, Any]], object], None]
_Kind: TypeAlias = Literal["open", "closed"]

class _Board(TypedDict, total=False):
    rows: SupportsIndex | None
    cols: SupportsIndex | None
    board: _Text | None
    graph: Any
    piece: str | None
    wrap: Literal["none", "cylinder", "torus", "moebius"] | None
    without: str | Iterable[_Square] | None
    graph_format: str | None

class _Limits(TypedDict, total=False):
    threads: SupportsIndex | None
    memory: _Bytes
    disk: _Bytes
    max_time: _Time
    fresh: bool
    progress: _Progress

class _Run(_Limits, total=False):
    checkpoint: str | PathLike[str] | None
    checkpoint_interval: _Time

class _Engine(TypedDict, total=False):
    engine: Literal["auto", "walk", "edges", "frontier", "subsets"]
    split_depth: SupportsIndex | None
    cut: str | None

class _Question(_Board, total=False):
    tours: _Kind
    from_: _Square | None
    to: _Square | None

class _Count(_Question, _Engine, _Run, total=False):
    classes: bool
    memo: _Bytes

class _Shards(_Question, _Engine, total=False):
    by: Literal["remainder", "group"] | None

class _Estimate(_Question, _Engine, total=False):
    memo: _Bytes
    threads: SupportsIndex | None
    memory: _Bytes
    disk: _Bytes
    probes: SupportsIndex
    within: _Time
    seed: SupportsIndex

class _Tours(_Question, total=False):
    classes: bool
    limit: SupportsIndex | None
    order: str
    after: Tour | None

class _Numbered(_Question, _Limits, total=False):
    index: str | PathLike[str] | None

class _Random(_Numbered, total=False):
    seed: SupportsIndex | None

class _Rank(_Limits, total=False):
    tours: _Kind | None
    from_: _Square | None
    to: _Square | None
    index: str | PathLike[str] | None

class _Find(_Board, total=False):
    tours: _Kind
    from_: _Square | None
    strategy: str
    order: str
    max_moves: SupportsIndex | None
    max_backtracks: SupportsIndex | None
    max_time: _Time

class _Puzzle(_Board, total=False):
    tours: _Kind

class _Hint(_Puzzle, total=False):
    max_time: _Time

class _Solve(_Hint, total=False):
    threads: SupportsIndex | None

class _Make(_Hint, total=False):
    clues: SupportsIndex | None
    symmetric: bool
    ends: Literal["any", "shown", "hidden"]
    seed: SupportsIndex | None

class Undecided(Exception): ...

class Count(NamedTuple):
    directed: int
    undirected: int
    classes: int | None
    units: int
    units_resumed: int
    engine: str
    fingerprint: str
    elapsed: float
    question: str
    text: str
    def __int__(self) -> int: ...

@final
class Tour:
    def __new__(
        cls,
        squares: _Text | Tour | Iterable[_Square],
        size: _Size = None,
        *,
        cycle: bool | None = None,
        **options: Unpack[_Board],
    ) -> Tour: ...
    @property
    def squares(self) -> list[tuple[int, int]]: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def closed(self) -> bool: ...
    @property
    def board(self) -> str: ...
    def grid(self) -> str: ...
    def array(self) -> Any: ...
    def svg(self, *, numbers: bool = False, title: str | None = None) -> str: ...
    def _repr_svg_(self) -> str | None: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...

@final
class TourList(Sequence[Tour]):
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: int) -> Tour: ...
    @overload
    def __getitem__(self, place: slice) -> list[Tour]: ...

@final
class Tours(Iterator[Tour]):
    def __next__(self) -> Tour: ...

@final
class Puzzle:
    def __new__(
        cls,
        given: _Text | Mapping[int, _Square] | Iterable[Iterable[object]],
        size: _Size = None,
        *,
        solution: Tour | None = None,
        difficulty: str | None = None,
        **options: Unpack[_Puzzle],
    ) -> Puzzle: ...
    @property
    def board(self) -> str: ...
    @property
    def closed(self) -> bool: ...
    @property
    def clues(self) -> dict[int, str]: ...
    @property
    def solution(self) -> Tour | None: ...
    @property
    def difficulty(self) -> str | None: ...
    def svg(self, *, answer: bool = False, title: str | None = None) -> str: ...
    def _repr_svg_(self) -> str | None: ...

class Solved(NamedTuple):
    verdict: Literal["none", "unique", "several", "undecided"]
    solutions: list[Tour]
    reason: str | None
    complete: bool

class _ShardFields(NamedTuple):
    index: int
    of: int
    question: str
    text: str

class Shard(_ShardFields):
    def run(self, **options: Unpack[_Run]) -> Part: ...

class _PartFields(NamedTuple):
    index: int
    of: int
    directed: int
    elapsed: float
    text: str

class Part(_PartFields): ...

def count(size: _Size = None, **options: Unpack[_Count]) -> Count: ...
def shards(n: SupportsIndex, size: _Size = None, **options: Unpack[_Shards]) -> list[Shard]: ...
def merge(parts: Iterable[Part]) -> Count: ...
def estimate(size: _Size = None, **options: Unpack[_Estimate]) -> dict[str, Any]: ...
def tours(size: _Size = None, **options: Unpack[_Tours]) -> Tours: ...
@overload
def random(size: _Size = None, *, count: None = None, **options: Unpack[_Random]) -> Tour: ...
@overload
def random(size: _Size = None, *, count: SupportsIndex, **options: Unpack[_Random]) -> TourList: ...
@overload
def nth(number: SupportsIndex, size: _Size = None, **options: Unpack[_Numbered]) -> Tour: ...
@overload
def nth(
    number: Iterable[SupportsIndex], size: _Size = None, **options: Unpack[_Numbered]
) -> TourList: ...
@overload
def rank(tour: Tour, **options: Unpack[_Rank]) -> int: ...
@overload
def rank(tour: Iterable[Tour], **options: Unpack[_Rank]) -> list[int]: ...
def find(size: _Size = None, **options: Unpack[_Find]) -> Tour | None: ...
def read(text: _Text | Tour | Iterable[_Square], size: _Size = None, **options: Unpack[_Board]) -> list[Tour]: ...
def check(text: _Text | Tour | Iterable[_Square], size: _Size = None, **options: Unpack[_Board]) -> list[str]: ...
def solve(
    puzzle: Puzzle | _Text | Mapping[int, _Square] | Iterable[Iterable[object]],
    size: _Size = None,
    *,
    limit: SupportsIndex = 2,
    **options: Unpack[_Solve],
) -> Solved: ...
@overload
def is_unique(puzzle: Puzzle | str, size: _Size = None, **options: Unpack[_Solve]) -> bool: ...
@overload
def is_unique(puzzle: Sequence[Puzzle], size: _Size = None, **options: Unpack[_Solve]) -> list[bool]: ...
def hint(puzzle: Puzzle | _Text, size: _Size = None, **options: Unpack[_Hint]) -> str | None: ...
def puzzle(size: _Size = None, **options: Unpack[_Make]) -> Puzzle: ...
