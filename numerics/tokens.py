"""Texts to rows of tokens: words in lower case, the most frequent ones kept, a fixed length."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from numerics.doors import positive_integer

PADDING, UNKNOWN, FIRST_WORD = 0, 1, 2
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def words(text: str) -> list[str]:
    """Split a text: ``<br />`` is a space, letters in lower case, a word is letters, digits and inner
    apostrophes.

    Everything else, control characters too, separates words.

    Examples
    --------
    >>> words("It's GREAT!<br /><br />10/10, naïve")
    ["it's", 'great', '10', '10', 'naïve']
    """
    return _WORD.findall(text.replace("<br />", " ").lower())


def vocabulary(texts: Iterable[str], size: int) -> tuple[str, ...]:
    """Return the ``size`` most frequent words (fewer if there are fewer), ties in alphabetical order.

    Errors
        ValueError if ``size`` is not an integer of at least 1.

    Examples
    --------
    >>> vocabulary(["b a a", "c b a"], 2)
    ('a', 'b')
    """
    positive_integer("vocabulary", "size", size)
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(words(text))
    return tuple(word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:size])


def tokenise(texts: Sequence[str], known: Sequence[str], length: int) -> NDArray[np.int32]:
    """Turn texts into rows of ``length`` tokens.

    Token 0 is padding, 1 an unknown word, 2 + i the word known[i]. A longer text keeps its first ``length``
    words; a shorter one is padded in front, so that a recurrent network ends on a word.

    Errors
        ValueError if ``length`` is not an integer of at least 1.

    Examples
    --------
    >>> tokenise(["a z b", "b a b a b"], ("a", "b"), 4).tolist()
    [[0, 2, 1, 3], [3, 2, 3, 2]]
    """
    positive_integer("tokenise", "length", length)
    number = {word: FIRST_WORD + i for i, word in enumerate(known)}
    rows = np.full((len(texts), length), PADDING, dtype=np.int32)
    for row, text in zip(rows, texts, strict=True):
        tokens = [number.get(word, UNKNOWN) for word in words(text)[:length]]
        if tokens:
            row[-len(tokens) :] = tokens
    return rows
