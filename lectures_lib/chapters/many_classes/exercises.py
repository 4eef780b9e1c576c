"""The exercises of this chapter: votes, undecided places, codes, and what copies are worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import (
    Array,
    Case,
    Choice,
    Exercise,
    Function,
    Prediction,
    Proof,
    Property,
    Result,
    Rng,
    Slip,
    Step,
    Values,
)
from lectures_lib.multiclass import hamming_distances, minimum_distance

REST, PAIRS, CODES, WRONG_WAYS = "One-vs-rest", "One-vs-one", "Output codes", "What goes wrong"


# Votes -----------------------------------------------------------------------------------------


def claims(G: Array) -> Any:
    yes = G > 0
    number = yes.sum(axis=1)
    return np.where(number == 1, yes.argmax(axis=1), -1)


def _scores(rng: Rng) -> tuple[Any, ...]:
    G = rng.normal(size=(int(rng.integers(5, 9)), int(rng.integers(3, 6)))) - 0.4
    G[rng.random(G.shape) < 0.1] = 0.0
    return (G,)


CLAIMS = Exercise(
    id="many_classes.claims",
    title="Who claims what",
    minutes=5,
    section=REST,
    hints=(
        "Count in each row how many machines say yes. What do 0, 1 and 2 mean?",
        "Yes is a score above 0. Exactly one yes: that class. Anything else: −1.",
        "`yes = G > 0`; then `yes.sum(axis=1)` and `yes.argmax(axis=1)`.",
    ),
    remark="Argmax would answer everywhere. Here −1 says honestly that the votes do not decide.",
    parts=(
        Function(
            claims,
            (Result("c", ("N",), "count", points=3),),
            (
                Case("one yes", (np.array([[-1.0, 2.0, -3.0]]),)),
                Case("nobody, one, two", (np.array([[-1.0, -2, -3], [4, -1, -1], [1, 2, -1]]),)),
                Case("a score of 0 is no yes", (np.array([[0.0, -1.0, 2.0], [0.0, -1.0, -2.0]]),)),
            ),
            _scores,
            (
                Slip(
                    "The largest score",
                    "That is argmax: it answers even where nobody or several say yes.",
                    "np.where(number == 1, yes.argmax(axis=1), -1) -> G.argmax(axis=1)",
                ),
                Slip(
                    "Several claims are accepted",
                    "Where two classes say yes, the votes do not decide: −1.",
                    "number == 1 -> number >= 1",
                    also=("number == 1, yes -> number >= 1, G",),
                ),
                Slip(
                    "Nobody is class 0",
                    "Where nobody says yes there is no answer: −1.",
                    "number == 1 -> number <= 1",
                ),
                Slip(
                    "The first yes",
                    "`argmax` of yes and no finds the first yes, and 0 where there is none.",
                    "np.where(number == 1, yes.argmax(axis=1), -1) -> yes.argmax(axis=1)",
                ),
                Slip(
                    "Nobody goes to the last class",
                    "That is the reject rule. Here nobody is −1.",
                    "yes.argmax(axis=1), -1) -> yes.argmax(axis=1), np.where(number, -1, "
                    "G.shape[1] - 1))",
                    also=(
                        "np.where(number == 1, yes.argmax(axis=1), -1) -> "
                        "np.where(number, G.argmax(axis=1), G.shape[1] - 1)",
                    ),
                ),
                Slip("A score of 0 counts as yes", "Yes is a score above 0.", "G > 0 -> G >= 0"),
                Slip(
                    "The number of claims",
                    "Asked for is the class, not how many machines say yes.",
                    "np.where(number == 1, yes.argmax(axis=1), -1) -> number",
                ),
                Slip(
                    "Along the wrong axis",
                    "A row is an example: sum along axis 1.",
                    "yes.sum(axis=1) -> (yes.sum(axis=0)[0] + 0 * yes.sum(axis=1))",
                ),
            ),
        ),
    ),
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


OVO = Exercise(
    id="many_classes.ovo",
    title="One-vs-one, from the scores",
    minutes=8,
    section=PAIRS,
    hints=(
        "The columns belong to the pairs in the order (0, 1), (0, 2), …, (1, 2), …. Each gives one "
        "vote in every row.",
        "A score above 0 is a vote for j, any other one for i. Most votes win, and of equal ones "
        "the first class.",
        "Count the column along with the two loops: `votes[:, j] += G[:, column] > 0`.",
    ),
    remark="`argmax` takes the first of equal ones; a tie rule that looks at scores needs scores "
    "with one unit.",
    parts=(
        Function(
            ovo_predict,
            (Result("c", ("N",), "count", points=4),),
            (
                Case("class 1 beats both", (np.array([[2.0, 1.0, -3.0]]), 3)),
                Case("everybody has one vote", (np.array([[1.0, -1.0, 1.0]]), 3)),
                Case("a score of 0 speaks for the first", (np.array([[0.0, 0.0, 1.0]]), 3)),
                Case("four classes", (np.array([[-1.0, 1, 1, 1, 1, -1], [1, 1, 1, -1, 1, 1]]), 4)),
            ),
            _pair_scores,
            (
                Slip(
                    "The votes are turned",
                    "A score above 0 speaks for the second class of the pair, j.",
                    "G[:, column] > 0 -> G[:, column] <= 0",
                ),
                Slip(
                    "The votes are turned, 0 is not",
                    "A score above 0 speaks for the second class of the pair, j.",
                    "G[:, column] > 0 -> G[:, column] < 0",
                ),
                Slip(
                    "A score of 0 speaks for the second",
                    "Only a score above 0 is a vote for j; any other one is for i.",
                    "G[:, column] > 0 -> G[:, column] >= 0",
                ),
                Slip(
                    "Scores instead of votes",
                    "Each machine has one vote, however large its score.",
                    "G[:, column] > 0 -> G[:, column]",
                    "+= 1 - says_j -> -= says_j",
                ),
                Slip(
                    "Only yes is counted",
                    "A no of the machine (i, j) is a vote for i.",
                    "+= 1 - says_j -> += 0",
                ),
                Slip(
                    "The last of equal ones",
                    "Of equally many votes the first class wins.",
                    "votes.argmax(axis=1) -> K - 1 - votes[:, ::-1].argmax(axis=1)",
                ),
                Slip(
                    "A tie gets no answer",
                    "Of equally many votes the first class wins; −1 is not asked for here.",
                    "votes.argmax(axis=1) -> np.where((votes == votes.max(axis=1)[:, None])"
                    ".sum(axis=1) == 1, votes.argmax(axis=1), -1)",
                ),
                Slip(
                    "The pairs in another order",
                    "The order is (0, 1), (0, 2), …, (1, 2), …: i is the outer loop.",
                    "for i in range(K) -> for j in range(K)",
                    "for j in range(i + 1, K) -> for i in range(j)",
                ),
            ),
            valid=lambda G, K: K >= 3 and G.shape[1] == K * (K - 1) // 2,
        ),
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

DECODE = Exercise(
    id="many_classes.decode",
    title="Words with errors",
    minutes=8,
    section=CODES,
    hints=(
        "Compare each received word with each code word, place by place.",
        "The Hamming distance is the number of places that differ. The smallest one wins, if it "
        "belongs to one class only.",
        "`(words[:, None, :] != code[None, :, :]).sum(axis=2)` holds all distances.",
    ),
    remark="A tie is no failure of the program: two classes explain the answers equally well.",
    parts=(
        Function(
            decode,
            (Result("c", ("N",), "count", points=4),),
            (
                Case("no error", (SMALL, SMALL)),
                Case("one wrong bit", (np.array([[1, 0, 0, 0, 0], [0, 1, 1, 1, 1]]), SMALL)),
                Case("a tie", (np.array([[0, 1, 1, 0, 1], [1, 1, 1, 1, 1]]), SMALL)),
            ),
            _received,
            (
                Slip(
                    "A tie gets an answer",
                    "Where two words are equally near, the answer is −1.",
                    "np.where(alone, nearest, -1) -> nearest",
                ),
                Slip(
                    "The farthest word",
                    "The nearest word wins: the smallest distance.",
                    "distance.argmin(axis=1) -> distance.argmax(axis=1)",
                    "distance.min(axis=1) -> distance.max(axis=1)",
                ),
                Slip(
                    "Differences cancel",
                    "1 − 0 and 0 − 1 add up to 0: count the places that differ.",
                    "(words[:, None, :] != code[None, :, :]).sum(axis=2) -> "
                    "abs((words[:, None, :] - code[None, :, :]).sum(axis=2))",
                ),
                Slip(
                    "Only exact words",
                    "A word with an error belongs to the nearest code word.",
                    "np.where(alone, nearest, -1) -> np.where(distance.min(axis=1) == 0, nearest, "
                    "-1)",
                ),
                Slip(
                    "Common ones instead of differing places",
                    "Two zeros in the same place agree as well: count the places that differ.",
                    "(words[:, None, :] != code[None, :, :]).sum(axis=2) -> -(words @ code.T)",
                ),
                Slip(
                    "Common ones, ties answered",
                    "Two zeros agree as well: count the places that differ, and answer ties by −1.",
                    "(words[:, None, :] != code[None, :, :]).sum(axis=2) -> -(words @ code.T)",
                    "np.where(alone, nearest, -1) -> nearest",
                ),
                Slip(
                    "The last of equally near ones",
                    "Where two words are equally near, the answer is −1.",
                    "np.where(alone, nearest, -1) -> len(code) - 1 - "
                    "distance[:, ::-1].argmin(axis=1)",
                ),
                Slip(
                    "The distance is returned",
                    "Asked for is the class, not how far away it is.",
                    "np.where(alone, nearest, -1) -> distance.min(axis=1)",
                ),
            ),
            valid=lambda words, code: bool(
                len(np.unique(code, axis=0)) == len(code)
                and np.isin(words, (0, 1)).all()
                and np.isin(code, (0, 1)).all()
                and words.shape[1] == code.shape[1]
            ),
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
        f"two words differ in {minimum_distance(words)} places only. With bit {attacked} of word "
        f"{i + 1} wrong, word {j + 1} is as near or nearer."
    )


def _seven_bits(code: Array) -> str:
    found = code.shape[1]
    return _corrects(code) or ("" if found <= 7 else f"found {found} bits; 7 at most.")


def _six_bits(code: Array) -> str:
    found = code.shape[1]
    return _corrects(code) or ("" if found <= 6 else f"found {found} bits; 6 will do.")


CODE = Exercise(
    id="many_classes.code",
    title="A code for the days of the week",
    minutes=10,
    section=CODES,
    hints=(
        "With distance 3 every word needs a ball of its own: itself and all words with one flipped "
        "bit. How many balls fit among the 2 to the power M words?",
        "7·(1 + M) ≤ 2^M fails for M = 5 and holds for M = 6. Start with 000000 and add words with "
        "three or more ones that differ from all others in three places.",
        "`000000`, `111000` and `100110` are a beginning.",
    ),
    remark="Even eight words fit into six bits. Five bits are too few: seven balls of six words "
    "are more than 32.",
    parts=(
        Values(
            ("week",),
            (
                Property(
                    "one wrong bit is corrected", 1.0, _corrects, "words at least 3 bits apart"
                ),
                Property("seven bits at most", 2.0, _seven_bits, "a code of 7 bits or fewer"),
                Property("six bits", 1.0, _six_bits, "a code of 6 bits"),
            ),
            (Result("week", ("7", "M"), "count"),),
            (
                Slip(
                    "One bit per class",
                    "That is one-vs-rest: its words differ in 2 bits, so it corrects nothing.",
                    recognise=lambda code: code.shape == (7, 7) and bool((code == np.eye(7)).all()),
                ),
                Slip(
                    "Binary numbers",
                    "Counting in binary needs 3 bits and corrects nothing: neighbours differ in 1.",
                    recognise=lambda code: code.shape == (7, 3),
                ),
                Slip(
                    "Every bit three times",
                    "Three copies of three bits are 9. Words that share no structure need fewer.",
                    recognise=lambda code: code.shape == (7, 9) and not _corrects(code),
                ),
                Slip(
                    "Signs instead of bits",
                    "The bits are 0 and 1.",
                    recognise=lambda code: set(np.unique(code)) == {-1, 1},
                ),
            ),
        ),
    ),
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


PLACES = Exercise(
    id="many_classes.places",
    title="Two classes or none",
    minutes=6,
    section=REST,
    hints=(
        "Draw the three lines x1 = 1, x1 = x2/2 − 1 and x2 = −1, and mark the side of the yes.",
        "Class 0 says yes where x1 > 1, class 2 where x2 < −1.",
        "Inside the triangle of the three lines: which scores are above 0? And which beyond one of "
        "its corners?",
    ),
    remark="Three lines that form a triangle always leave a place to two classes, and one to "
    "nobody unless all three claim the triangle.",
    parts=(
        Values(
            ("two", "none"),
            (
                Property("claimed by exactly two", 2.0, _claimed(2, "two"), "two scores above 0"),
                Property("claimed by nobody", 1.0, _claimed(0, "none"), "no score above 0"),
            ),
            (Result("two", ("2",)), Result("none", ("2",))),
            (
                Slip(
                    "The two are exchanged",
                    "`two` is claimed by nobody here, and `none` by two classes.",
                    recognise=lambda a, b: _number_of_claims(a) == 0 and _number_of_claims(b) == 2,
                ),
                Slip(
                    "On a line",
                    "A score of 0 is no yes. Step off the line.",
                    recognise=lambda a, b: bool(
                        np.any(LINES[:, 0] + LINES[:, 1:] @ a == 0) and _number_of_claims(a) == 1
                    ),
                ),
                Slip(
                    "One class owns it",
                    "At `two` exactly one class says yes; a second one has to.",
                    recognise=lambda a, b: (
                        _number_of_claims(a) == 1
                        and not np.any(LINES[:, 0] + LINES[:, 1:] @ a == 0)
                    ),
                ),
                Slip(
                    "Somebody owns the other",
                    "At `none` a class says yes.",
                    recognise=lambda a, b: _number_of_claims(a) == 2 and _number_of_claims(b) > 0,
                ),
            ),
        ),
    ),
)


# Copies ------------------------------------------------------------------------------------------

COPIES = Exercise(
    id="many_classes.copies",
    title="Every question three times",
    minutes=5,
    section=WRONG_WAYS,
    hints=(
        "The distance between words triples. Read again what the promise about wrong bits assumes.",
        "The same machine, trained on the same examples, is asked three times. What does it say?",
        "Take a word in which one machine errs. How many of the tripled bits are wrong? And how "
        "far is the next word now?",
    ),
    remark="Codes help against errors that happen to different bits at different times.",
    parts=(
        Prediction(
            ("copied", "because"),
            (
                Choice(
                    "a",
                    "the errors get fewer, since more wrong bits are corrected",
                    False,
                    "More wrong bits are corrected, and three times as many occur.",
                ),
                Choice(
                    "b",
                    "nothing changes",
                    True,
                    "All distances are tripled; the nearest word stays.",
                ),
                Choice(
                    "c",
                    "the errors get more, since there are more machines to err",
                    False,
                    "The new machines say what the old ones say.",
                ),
                Choice(
                    "d",
                    "every answer becomes a tie",
                    False,
                    "Three times a smaller distance is still smaller.",
                ),
            ),
            (
                Choice(
                    "a",
                    "the smallest distance between words is three times as large",
                    False,
                    "True, and no help: the wrong bits are three times as many.",
                ),
                Choice(
                    "b",
                    "copies of a machine err together",
                    True,
                    "So 3D meets three times as many wrong bits.",
                ),
                Choice(
                    "c",
                    "machines with the same task see fewer examples",
                    False,
                    "Each of them sees all examples, as before.",
                ),
                Choice(
                    "d",
                    "three is an odd number",
                    False,
                    "A vote of three helps only if the three can differ.",
                ),
            ),
            points=3.0,
        ),
    ),
)

WORK = Exercise(
    id="many_classes.work",
    title="How often an example is seen",
    minutes=8,
    section=PAIRS,
    hints=(
        "In the inner sum only n[j] changes with j; n[i] stands there K times.",
        "Summing n[i] + n[j] over j gives K·n[i] + sum(n). Then sum over i: each n[i] becomes "
        "sum(n), and sum(n), a number, comes K times.",
        "`sum(K*n[i] + sum(n) - 2*n[i], i, 1, K)/2` is the first line.",
    ),
    remark="One-vs-one shows every example K − 1 times, one-vs-rest K times: 45 machines see less "
    "than ten.",
    parts=(
        Proof(
            "work_proof",
            "sum(sum(n[i] + n[j], j, 1, K) - 2*n[i], i, 1, K)/2",
            (
                Step(
                    "the inner sum",
                    "sum(K*n[i] + sum(n) - 2*n[i], i, 1, K)/2",
                    without=r"j",
                ),
                Step(
                    "the outer sum",
                    "(K*sum(n) + K*sum(n) - 2*sum(n))/2",
                    without=r", 1, K",
                ),
                Step("the goal", "(K - 1)*sum(n)", without=r"/2|, 1, K"),
            ),
            {"n": "nonnegative vector K"},
            sizes={"K": (2, 3, 4)},
            slips=(
                Slip(
                    "A sum with one term",
                    "Both sums have K terms: what does not change comes K times.",
                    "K*n[i] + sum(n) -> n[i] + sum(n)",
                ),
                Slip(
                    "The own class is left in",
                    "A class makes no pair with itself: the term −2 n[i] stays.",
                    " - 2*n[i] -> ",
                ),
                Slip(
                    "One class too few",
                    "A class meets K − 1 others, so each example is seen K − 1 times.",
                    "(K - 1)*sum(n) -> (K - 2)*sum(n)",
                ),
                Slip(
                    "Too much taken off",
                    "Σ 2·n[i] is 2·sum(n): each class is taken off twice, not three times.",
                    "- 2*sum(n) -> - 3*sum(n)",
                ),
            ),
        ),
    ),
)

EXERCISES = (CLAIMS, PLACES, OVO, WORK, DECODE, CODE, COPIES)
