"""Errors at the door: the checks that a public function makes before anything is traced."""

from collections.abc import Sequence


def positive_integer(who: str, name: str, value: object, most: int | None = None, of: str = "size") -> int:
    """Return `value` if it is an integer of at least 1 (and at most `most`), else say so in one sentence.

    Parameters
    ----------
    who, name
        The function and the argument that are named in the message.
    value
        What the caller gave. A boolean is refused: `width=True` is a slip, not a width of 1.
    most, of
        Largest value allowed, and what that value is called in the message.

    Raises
    ------
    ValueError
        `who: name=value ...; pass ...`.

    Examples
    --------
    >>> positive_integer("lanczos", "steps", 7, most=25)
    7
    >>> positive_integer("lanczos", "steps", 40, most=25)
    Traceback (most recent call last):
    ValueError: lanczos: steps=40 exceeds size=25; pass steps <= 25
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ValueError(f"{who}: {name}={value!r} is not an integer; pass an integer {name} >= 1")
    number = value.__index__()  # type: ignore[attr-defined]
    if number < 1:
        raise ValueError(f"{who}: {name}={number} is below 1; pass {name} >= 1")
    if most is not None and number > most:
        raise ValueError(f"{who}: {name}={number} exceeds {of}={most}; pass {name} <= {most}")
    return number


def same_shape(who: str, names: tuple[str, str], first: Sequence[int], second: Sequence[int]) -> None:
    """Refuse two arrays whose shapes differ.

    Examples
    --------
    >>> same_shape("cross_entropy", ("z", "y"), (5, 3), (5, 3))
    >>> same_shape("cross_entropy", ("z", "y"), (5, 3), (5, 1))
    Traceback (most recent call last):
    ValueError: cross_entropy: z has shape (5, 3) and y has shape (5, 1); the two must be equal; pass y like z
    """
    if tuple(first) != tuple(second):
        raise ValueError(
            f"{who}: {names[0]} has shape {tuple(first)} and {names[1]} has shape {tuple(second)}; "
            f"the two must be equal; pass {names[1]} like {names[0]}"
        )
