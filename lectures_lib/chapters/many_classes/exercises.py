"""The exercises of this chapter: votes, undecided places, codes, and what copies are worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import (
    Array,
    Case,
    Function,
    Prediction,
    Proof,
    Property,
    Result,
    Rng,
    Values,
    choices,
    exercise,
    slips,
    steps,
)
from lectures_lib.multiclass import hamming_distances, minimum_distance

# Votes -----------------------------------------------------------------------------------------


def claims(G: Array) -> Any:
    yes = G > 0
    number = yes.sum(axis=1)
    return np.where(number == 1, yes.argmax(axis=1), -1)


def _scores(rng: Rng) -> tuple[Any, ...]:
    G = rng.normal(size=(int(rng.integers(5, 9)), int(rng.integers(3, 6)))) - 0.4
    G[rng.random(G.shape) < 0.1] = 0.0
    return (G,)


CLAIMS = exercise(
    """
    many_classes.claims: Who claims what [5 minutes] [One-vs-rest]
        Count in each row how many machines say yes. What do 0, 1 and 2 mean?
        Yes is a score above 0. Exactly one yes: that class. Anything else: −1.
        `yes = G > 0`; then `yes.sum(axis=1)` and `yes.argmax(axis=1)`.
    Remark
        Argmax would answer everywhere. Here −1 says that the votes do not decide.
    """,
    Function(
        claims,
        (Result("c", ("N",), "count", points=3),),
        (
            Case("one yes", ([[-1.0, 2.0, -3.0]],)),
            Case("nobody, one, two", ([[-1.0, -2, -3], [4, -1, -1], [1, 2, -1]],)),
            Case("a score of 0 is no yes", ([[0.0, -1.0, 2.0], [0.0, -1.0, -2.0]],)),
        ),
        _scores,
        slips("""
    The largest score
        np.where(number == 1, yes.argmax(axis=1), -1) -> G.argmax(axis=1)
        That is argmax: it answers even where nobody or several say yes.
    Several claims are accepted
        number == 1 -> number >= 1
        number == 1, yes -> number >= 1, G
        Where two or more classes say yes, the votes do not decide: −1.
    Nobody is class 0
        number == 1 -> number <= 1
        Where nobody says yes there is no answer: −1.
    The first yes
        np.where(number == 1, yes.argmax(axis=1), -1) -> yes.argmax(axis=1)
        `argmax` of yes and no finds the first yes, and 0 where there is none.
    Nobody goes to the last class
        yes.argmax(axis=1), -1) -> yes.argmax(axis=1), np.where(number, -1, G.shape[1] - 1))
        np.where(number == 1, yes.argmax(axis=1), -1) -> np.where(number, G.argmax(axis=1),
            G.shape[1] - 1)
        That is the reject rule. Where nobody says yes, the answer here is −1.
    A score of 0 counts as yes
        G > 0 -> G >= 0
        Yes is a score above 0.
    The number of claims
        np.where(number == 1, yes.argmax(axis=1), -1) -> number
        Return the class, not how many machines say yes.
    Along the wrong axis
        yes.sum(axis=1) -> (yes.sum(axis=0)[0] + 0 * yes.sum(axis=1))
        A row is an example: sum along axis 1.
            """),
    ),
    another="""
def claims(G):
    yes = G > 0
    return np.where(yes.sum(axis=1) == 1, yes @ np.arange(G.shape[1]), -1)
""",
)


def ovo_predict(G: Array, K: int) -> Any:
    votes = np.zeros((len(G), K))
    column = 0
    for i in range(K):
        for j in range(i + 1, K):
            says_j = G[:, column] > 0
            votes[:, j] += says_j
            votes[:, i] += 1 - says_j
            column += 1
    return votes.argmax(axis=1)


def _pair_scores(rng: Rng) -> tuple[Any, ...]:
    K = int(rng.integers(3, 6))
    return rng.normal(size=(int(rng.integers(4, 9)), K * (K - 1) // 2)), K


OVO = exercise(
    """
    many_classes.ovo: One-vs-one, from the scores [8 minutes] [One-vs-one]
        The columns belong to the pairs in the order (0, 1), (0, 2), …, (1, 2), …. Each gives one
            vote in every row.
        A score above 0 is a vote for j, any other score is one for i. The class with the most votes
            wins; of several, the first.
        Count the column along with the two loops: `votes[:, j] += G[:, column] > 0`.
    Remark
        `argmax` takes the first of equal ones. A tie rule by scores needs scores in the same unit.
    """,
    Function(
        ovo_predict,
        (Result("c", ("N",), "count", points=4),),
        (
            Case("class 1 beats both", ([[2.0, 1.0, -3.0]], 3)),
            Case("everybody has one vote", ([[1.0, -1.0, 1.0]], 3)),
            Case("a score of 0 speaks for the first", ([[0.0, 0.0, 1.0]], 3)),
            Case("four classes", ([[-1.0, 1, 1, 1, 1, -1], [1, 1, 1, -1, 1, 1]], 4)),
        ),
        _pair_scores,
        slips("""
    The votes are turned
        G[:, column] > 0 -> G[:, column] <= 0
        A score above 0 speaks for the second class of the pair, j.
    The votes are turned, 0 is not
        G[:, column] > 0 -> G[:, column] < 0
        A score above 0 speaks for the second class of the pair, j.
    A score of 0 speaks for the second
        G[:, column] > 0 -> G[:, column] >= 0
        Only a score above 0 is a vote for j; any other one is for i.
    Scores instead of votes
        G[:, column] > 0 -> G[:, column] ; += 1 - says_j -> -= says_j
        Each machine has one vote, however large its score.
    Only yes is counted
        += 1 - says_j -> += 0
        A “no” of the machine (i, j) is a vote for i.
    The last of equal ones
        votes.argmax(axis=1) -> K - 1 - votes[:, ::-1].argmax(axis=1)
        Where several classes have the most votes, the first of them wins.
    A tie gets no answer
        votes.argmax(axis=1) -> np.where((votes == votes.max(axis=1)[:, None]).sum(axis=1) == 1,
            votes.argmax(axis=1), -1)
        No answer is −1: of several classes with the most votes the first wins.
    The pairs in another order
        for i in range(K) -> for j in range(K) ; for j in range(i + 1, K) -> for i in range(j)
        The order is (0, 1), (0, 2), …, (1, 2), …: i is the outer loop.
            """),
        valid=lambda G, K: K >= 3 and G.shape[1] == K * (K - 1) // 2,
    ),
)


# Codes -------------------------------------------------------------------------------------------


def decode(words: Array, code: Array) -> Any:
    distance = (words[:, None, :] != code[None, :, :]).sum(axis=2)
    nearest = distance.argmin(axis=1)
    alone = (distance == distance.min(axis=1)[:, None]).sum(axis=1) == 1
    return np.where(alone, nearest, -1)


def _received(rng: Rng) -> tuple[Any, ...]:
    K, M = int(rng.integers(3, 6)), int(rng.integers(4, 7))
    code = rng.permutation(2**M)[:K, None] >> np.arange(M) & 1
    return rng.integers(0, 2, (int(rng.integers(4, 8)), M)), code


SMALL = np.array([[0, 0, 0, 0, 0], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]])

DECODE = exercise(
    """
    many_classes.decode: Words with errors [8 minutes] [Output codes]
        Compare each received word with each code word, place by place.
        The Hamming distance is the number of places that differ. The smallest one wins, if it
            belongs to one class only.
        `(words[:, None, :] != code[None, :, :]).sum(axis=2)` holds all distances.
    Remark
        A tie is no failure of the program: several classes explain the answers equally well.
    """,
    Function(
        decode,
        (Result("c", ("N",), "count", points=4),),
        (
            Case("no error", (SMALL, SMALL)),
            Case("one wrong bit", ([[1, 0, 0, 0, 0], [0, 1, 1, 1, 1]], SMALL)),
            Case("a tie", ([[0, 1, 1, 0, 1], [1, 1, 1, 1, 1]], SMALL)),
        ),
        _received,
        slips("""
    A tie gets an answer
        np.where(alone, nearest, -1) -> nearest
        Where two words are equally near, the answer is −1.
    The farthest word
        distance.argmin(axis=1) -> distance.argmax(axis=1) ; distance.min(axis=1) ->
            distance.max(axis=1)
        The nearest word wins: the smallest distance.
    Differences cancel
        (words[:, None, :] != code[None, :, :]).sum(axis=2) -> abs((words[:, None, :] - code[None,
            :, :]).sum(axis=2))
        1 − 0 and 0 − 1 add up to 0: count the places that differ.
    Only exact words
        np.where(alone, nearest, -1) -> np.where(distance.min(axis=1) == 0, nearest, -1)
        A word with an error belongs to the nearest code word.
    Common ones instead of differing places
        (words[:, None, :] != code[None, :, :]).sum(axis=2) -> -(words @ code.T)
        Two zeros in the same place agree as well: count the places that differ.
    Common ones, ties answered
        (words[:, None, :] != code[None, :, :]).sum(axis=2) -> -(words @ code.T) ; np.where(alone,
            nearest, -1) -> nearest
        Two zeros agree as well: count the places that differ, and answer a tie by −1.
    The last of equally near ones
        np.where(alone, nearest, -1) -> len(code) - 1 - distance[:, ::-1].argmin(axis=1)
        Where two words are equally near, the answer is −1.
    The distance is returned
        np.where(alone, nearest, -1) -> distance.min(axis=1)
        Return the class, not how far away it is.
            """),
        valid=lambda words, code: bool(
            len(np.unique(code, axis=0)) == len(code)
            and np.isin(words, (0, 1)).all()
            and np.isin(code, (0, 1)).all()
            and words.shape[1] == code.shape[1]
        ),
    ),
)


def _code_trouble(code: Array) -> str:
    if code.shape[0] != 7:
        return f"found {code.shape[0]} words; expected 7, one per row."
    if not np.isin(code, (0, 1)).all():
        return "a word holds 0s and 1s only."
    if len(np.unique(code, axis=0)) < 7:
        return "two classes have the same word."
    return ""


def _corrects(code: Array) -> str:
    trouble = _code_trouble(code)
    if trouble or minimum_distance(code.astype(int)) >= 3:
        return trouble
    words = code.astype(int)
    distance = hamming_distances(words, words) + len(code) * words.shape[1] * np.eye(len(code))
    i, j = np.unravel_index(distance.argmin(), distance.shape)
    attacked = np.flatnonzero(words[i] != words[j])[0] + 1
    return (
        f"two words are only {minimum_distance(words)} apart. With bit {attacked} of word "
        f"{i + 1} wrong, word {j + 1} is as near or nearer."
    )


def _seven_bits(code: Array) -> str:
    found = code.shape[1]
    return _corrects(code) or ("" if found <= 7 else f"found {found} bits; 7 at most.")


def _six_bits(code: Array) -> str:
    found = code.shape[1]
    return _corrects(code) or ("" if found <= 6 else f"found {found} bits; 6 will do.")


CODE = exercise(
    """
    many_classes.code: A code for the days of the week [10 minutes] [Output codes]
        With distance 3 every word needs a ball of its own: itself and all words with one flipped
            bit. How many balls fit among the 2^M words?
        7·(1 + M) ≤ 2^M fails for M = 5 and holds for M = 6. Start with 000000 and add words with
            three or more ones that differ from all others in three places.
        `000000`, `111000` and `100110` are a beginning.
    Remark
        Even eight words fit into six bits. Five bits are too few: seven balls of six words exceed
        32.
    """,
    Values(
        ("week",),
        (
            Property("one wrong bit is corrected", 1.0, _corrects, "words at least 3 bits apart"),
            Property("seven bits at most", 2.0, _seven_bits, "a code of 7 bits or fewer"),
            Property("six bits", 1.0, _six_bits, "a code of 6 bits"),
        ),
        (Result("week", ("7", "M"), "count"),),
        slips(
            """
    One bit per class
        when bit_per
        That is one-vs-rest: its words differ in 2 bits, so it corrects nothing.
    Binary numbers
        when binary_numbers
        Among seven words of three bits some differ in one place only, so nothing is corrected.
    Nine bits
        when every_bit
        Nine bits have room for three copies of three bits. Without copies fewer are enough.
    Signs instead of bits
        when signs_instead
        The bits are 0 and 1.
                """,
            bit_per=lambda code: code.shape == (7, 7) and bool((code == np.eye(7)).all()),
            binary_numbers=lambda code: code.shape == (7, 3),
            every_bit=lambda code: code.shape == (7, 9) and not _corrects(code),
            signs_instead=lambda code: set(np.unique(code)) == {-1, 1},
        ),
    ),
    another="""
words = ["000000", "000111", "011001", "011110", "101010", "101101", "110011"]
week = [[int(bit) for bit in word] for word in words]
""",
)


# Places that nobody owns ----------------------------------------------------------------------

LINES = np.array(
    [[-1.0, 1.0, 0.0], [-1.0, -1.0, 0.5], [-1.0, 0.0, -1.0]]
)  # (w0, w1, w2) of a class


def _number_of_claims(point: Array) -> int:
    return int(np.sum(LINES[:, 0] + LINES[:, 1:] @ point > 0))


def _claimed(n: int, name: str) -> Any:
    def holds(two: Array, none: Array) -> str:
        found = _number_of_claims(two if name == "two" else none)
        return "" if found == n else f"`{name}` is claimed by {found} of the classes."

    return holds


PLACES = exercise(
    """
    many_classes.places: Two classes or none [6 minutes] [One-vs-rest]
        Draw the three lines x1 = 1, x1 = x2/2 − 1 and x2 = −1, and mark where each says yes.
        Class 0 says yes where x1 > 1, class 2 where x2 < −1.
        Inside the triangle of the three lines: which scores are above 0? Which beyond a corner?
    Remark
        Three lines that form a triangle always leave a place to two classes, and one to nobody
        unless all three claim the triangle.
    """,
    Values(
        ("two", "none"),
        (
            Property("claimed by exactly two", 2.0, _claimed(2, "two"), "two scores above 0"),
            Property("claimed by nobody", 1.0, _claimed(0, "none"), "no score above 0"),
        ),
        (Result("two", ("2",)), Result("none", ("2",))),
        slips(
            """
    The two are exchanged
        when two_exchanged
        `two` is claimed by nobody here, and `none` by two classes.
    On a line
        when on_line
        A score of 0 is no yes. Step off the line.
    One class owns it
        when class_owns
        At `two` exactly one class says yes; a second one must.
    Somebody owns the other
        when somebody_owns
        At `none` a class says yes.
                """,
            two_exchanged=lambda a, b: _number_of_claims(a) == 0 and _number_of_claims(b) == 2,
            on_line=lambda a, b: bool(
                np.any(LINES[:, 0] + LINES[:, 1:] @ a == 0) and _number_of_claims(a) == 1
            ),
            class_owns=lambda a, b: (
                _number_of_claims(a) == 1 and not np.any(LINES[:, 0] + LINES[:, 1:] @ a == 0)
            ),
            somebody_owns=lambda a, b: _number_of_claims(a) == 2 and _number_of_claims(b) > 0,
        ),
    ),
    another="two, none = [3, -3], [0, 0]",
)


# Copies ------------------------------------------------------------------------------------------

COPIES = exercise(
    """
    many_classes.copies: Every question three times: two flaws [6 minutes] [What goes wrong]
        Two of the sentences are promises about distances and votes, and hold whatever the machines
            say. Which sentences are about how often machines are wrong?
        The same method on the same examples gives the same machine. And of ten digits that are
            equally frequent, what share does one that says “no” to everything get right?
        Take a picture on which one machine errs. How many of the tripled bits are wrong? And how
            far is the next word now?
    Remark
        Codes help against errors that happen to different bits at different times. And a share of
        right answers says little before one knows what a constant answer gets.
    """,
    Prediction(
        ("flawed", "because"),
        choices("""
    a. A code whose words differ in at least 3 places gives the right answer if one bit is wrong.
        The wrong word is 1 away from its own, and 2 or more from every other.
    b. If every column is written three times, its words differ in at least 9 places, and the answer
            is right with any four wrong bits.
        All distances are tripled, and ⌊(9 − 1)/2⌋ = 4.
    c. So three machines for each question, trained alike, give fewer wrong answers than one.
            [right]
        The code does survive more wrong bits. How many will there be?
    d. One-vs-one: where all nine machines that know the 3 vote for it, no other digit has as many
            votes.
        Each other digit has lost one of its nine votes, the one against 3.
    e. A one-vs-rest machine for the 8 that is right on 90 % of all digits has learned what an 8
            looks like. [right]
        Nine in ten sounds good. Compare it with a machine that has learned nothing.
    f. Its score times 7 gives the same answers “yes” and “no”, and may give another digit the
            largest score.
        The sign stays. Where two say yes, 7 times a score may now be the larger one.
            """),
        choices("""
    a. three machines together need three times as many examples
        Each of them sees all examples, as before.
    b. copies of a machine are wrong on the same pictures [right]
        Three times the distance meets three times as many wrong bits, and the nearest word stays.
    c. most of the 45 machines never saw the digit in the picture, and vote all the same
        They do. But none of them can give another digit its ninth vote.
    d. nine in ten pictures show other digits, so always saying “no” is right as often [right]
        The ten machines of the chapter are wrong on 3 %; that is worth something.
    e. with such a factor two scores are equal more often
        Equal scores are rare, before and after. Another one may be the largest.
            """),
        points=3.0,
    ),
    version=2,
)

WORK = exercise(
    """
    many_classes.work: How often an example is seen [8 minutes] [One-vs-one]
        In the inner sum only n[j] changes with j; n[i] stands there K times.
        Summing n[i] + n[j] over j gives K·n[i] + sum(n). Then sum over i: each n[i] becomes sum(n),
            and sum(n), the same for every i, is added K times.
        `sum(K*n[i] + sum(n) - 2*n[i], i, 1, K)/2` is the first line.
    Remark
        One-vs-one shows every example K − 1 times, one-vs-rest K times. With ten classes, 45
        machines see fewer in all than ten.
    """,
    Proof(
        "work_proof",
        "sum(sum(n[i] + n[j], j, 1, K) - 2*n[i], i, 1, K)/2",
        steps("""
    the inner sum [1 point]
        sum(K*n[i] + sum(n) - 2*n[i], i, 1, K)/2
        with K*n[i]
        with (K - 2)*n[i]
    the outer sum [1 point]
        (K*sum(n) + K*sum(n) - 2*sum(n))/2
        later; with K*sum(n)
    the goal [2 points]
        (K - 1)*sum(n)
        is K*sum(n) - sum(n)
        """),
        {"n": "nonnegative vector K"},
        sizes={"K": (2, 3, 4)},
        slips=slips("""
    A sum with one term
        K*n[i] + sum(n) -> n[i] + sum(n)
        Both sums have K terms: what does not change is added K times.
    The own class is left in
        - 2*n[i] ->
        A class makes no pair with itself: the term −2 n[i] stays.
    One class too few
        (K - 1)*sum(n) -> (K - 2)*sum(n)
        A class meets K − 1 others, so each example is seen K − 1 times.
    Too much taken off
        - 2*sum(n) -> - 3*sum(n)
        Σ 2·n[i] is 2·sum(n): each class is taken off twice, not three times.
            """),
    ),
)

EXERCISES = (CLAIMS, PLACES, OVO, WORK, DECODE, CODE, COPIES)
