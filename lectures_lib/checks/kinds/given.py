"""An answer that is handed over as it is, plain data; and in words, why a call gave none."""

from __future__ import annotations

from lectures_lib.checks.exercise import Part, Runner
from lectures_lib.checks.judging.readings import show
from lectures_lib.checks.running.in_thread import Reply
from lectures_lib.checks.running.named_calls import Ask
from lectures_lib.checks.running.plain_data import Plain, is_harmless, plain
from lectures_lib.checks.telling.outcomes import PartOutcome

ADVICE = {  # by what stands in a message
    "RecursionError": "The function calls itself without end.",
    "NameError": "Is everything it uses defined in a cell that you have run?",
    "UnboundLocalError": "A name is read before it gets a value.",
    "NotImplementedError": "This exercise is not attempted until the `raise` is gone.",
    "OverflowError": "A number grew beyond what a float can hold, as exp(1000) does.",
    "MemoryError": "It asks for more memory than there is: look at the shapes.",
    "truth value of an array": "`max` and `if` take one number; arrays take `np.maximum`.",
    "in its core dimension": "The lengths do not fit: compare `.shape`. Does one hold the bias?",
    "not be broadcast": "The lengths do not fit: compare `.shape`.",
}


class Given(Part):
    """A part whose answers are plain data."""

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        return self.judge_reply(handed_over(answers, run))

    def judge_reply(self, reply: Reply) -> PartOutcome:
        if reply.status != "returned":
            return self.every("error", trouble(reply), lines=reply.lines, printed=cut(reply))
        assert isinstance(reply.value, tuple)
        return self.every("not attempted") if untouched(reply.value) else self.judged(*reply.value)

    def judged(self, *values: Plain) -> PartOutcome:
        raise NotImplementedError

    def shown(self, values: tuple[Plain, ...]) -> str:
        pairs = zip(self.names, values, strict=True)
        return ", ".join(f"{name} = {show(value)}" for name, value in pairs)


def handed_over(answers: tuple[object, ...], run: Runner) -> Reply:
    """Answers that are no functions, as plain data; read under the watch where that is needed."""
    values = []
    for answer in answers:
        if is_harmless(answer):
            values.append(plain(answer))
            continue
        (reply,) = run(Ask("value", answer), [()])
        if reply.status != "returned":
            return reply
        values.append(reply.value)
    return Reply("returned", tuple(values))


def untouched(value: Plain) -> bool:
    """Whether a value still is the `...` of the stub, throughout."""
    if isinstance(value, tuple) and value:
        return all(untouched(entry) for entry in value)
    return value is Ellipsis


TROUBLE = {
    "input": "It waits for somebody to type. Take everything it needs from its arguments.",
    "exit": "It calls {}, which ends Python. Leave a function with `return`.",
    "stopped": "It did not come to an end and was stopped after {} seconds. Is there a loop whose "
    "condition never becomes false, or a number that grows without end?",
    "slow": "It is slow: the calls before this one came back, but after {} seconds in all the time "
    "was up. What is computed again and again could be computed once.",
    "crashed": "It was ended {}. Python itself came down with it; your notebook goes on.",
    "stubborn": "It was still running after {} seconds and cannot be stopped, because it catches "
    "every exception. Restart the kernel, and write `except ValueError:` or the like instead of a "
    "bare `except:`.",
    "not called": "Not run: the time was up.",
    "given up": "After {} seconds it was still inside a single call into compiled code, which can "
    "only be stopped when it returns. It goes on in the background; restart the kernel if the "
    "computer stays busy.",
}


def trouble(reply: Reply) -> str:
    """In words, why a call gave no value."""
    if reply.status in TROUBLE:
        return TROUBLE[reply.status].format(reply.message)
    advice = next((words for part, words in ADVICE.items() if part in reply.message), "")
    return f"{reply.message.rstrip('.')}. {advice}" if advice else reply.message


def cut(reply: Reply, length: int = 200) -> str:
    """What a call printed, or its beginning and how much it was."""
    if reply.printed_length <= length:
        return reply.printed.strip().replace("\n", " ⏎ ")
    start = reply.printed[:length].strip().replace("\n", " ⏎ ")
    return f"{start} … ({reply.printed_length:,} characters in all)"
