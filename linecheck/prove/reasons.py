"""Why a line is true, in at most two lines, from the rules that the kernel replayed."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction

from linecheck.expand.graph import Node, in_order
from linecheck.expand.problem import Problem
from linecheck.kernel import polynomials as poly
from linecheck.kernel.facts import NEG, Atom, Fact, RuleError, Table
from linecheck.kernel.normal import Ratio
from linecheck.kernel.polynomials import Exponent, Key, Monomial, Poly, Work
from linecheck.kernel.rules import CASES as SIGNS_OF_CASES
from linecheck.kernel.rules import Context, Script, Step, goals
from linecheck.language.domains import Finite
from linecheck.language.terms import TooBigError

LONGEST = 72  # characters of a formula
WORK = 20_000
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
CASES = {"three": "> 0, = 0, < 0", "closed": "≥ 0, ≤ 0", "open": "> 0, ≤ 0", "zero": "= 0, ≠ 0"}
KNOWN = {
    "squares": "both sides are ≥ 0 and their squares compare so",
    "log": "log and exp grow",
    "Phi": "Φ grows, from 0 to 1",
    "discriminant": "a x² + b x + c ≥ 0 where a, c ≥ 0 and 4 a c ≥ b²",
    "hypothesis": "supposed",
    "number": "a number: it is enclosed between two fractions",
}


FORMS = {"abs": "|{}|", "root": "√({})", "inv": "1/({})", "pos": "[{} > 0]", "Phi": "Φ({})"}


class LongError(Exception):
    """A formula that nobody would read."""


class Writer:
    """Polynomials as they are written on paper."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def ratio(self, a: Ratio) -> str:
        below = [self.power(self.sum(dict(key)), e, len(key) > 1) for key, e in a.below.items()]
        if not below:
            return self.sum(a.top)
        divisor = bracketed(" ".join(below), len(below) > 1)
        return f"{bracketed(self.sum(a.top), len(a.top) > 1)}/{divisor}"

    def sum(self, a: Poly) -> str:
        terms = sorted(a.items(), key=lambda term: (term[1] < 0, not term[0], term[0]))
        return joined(self.term(monomial, coefficient) for monomial, coefficient in terms)

    def term(self, monomial: Monomial, coefficient: int | Fraction) -> str:
        return times(coefficient, [self.factor(index, exponent) for index, exponent in monomial])

    def factor(self, index: int, exponent: Exponent) -> str:
        atom = self.context.table.atoms[index]
        if atom.kind == "exp":
            inside = self.inside(atom)
            return f"exp({self.ratio(Ratio(poly.scale(inside.top, exponent), inside.below))})"
        return self.power(self.atom(atom), exponent)

    @staticmethod
    def power(base: str, exponent: Exponent, brackets: bool = False) -> str:
        base = bracketed(base, brackets)
        if exponent == 1:
            return base
        if isinstance(exponent, int) and exponent > 0:
            return base + str(exponent).translate(SUPERSCRIPTS)
        return f"√{base}" if exponent == Fraction(1, 2) else f"{base}^({exponent})"

    @staticmethod
    def inside(atom: Atom) -> Ratio:
        return Ratio(dict(atom.args[0][0]), dict(atom.args[0][1]))

    def atom(self, atom: Atom) -> str:
        if atom.kind == "var" and "~" not in str(atom.data):
            return bracketed(str(atom.data), str(atom.data).startswith("-"))
        if atom.kind in ("prime", "pi"):
            return "π" if atom.kind == "pi" else str(atom.data)
        if atom.kind in ("var", "opaque", "side"):
            raise LongError
        inside = self.inside(atom)
        if atom.kind in ("log", "root") and self.context.sign_of(inside) == NEG:
            inside = Ratio(poly.scale(inside.top, -1), inside.below)
        if atom.kind == "root" and atom.data != 2:
            return f"({self.ratio(inside)})^(1/{atom.data})"
        return FORMS.get(atom.kind, atom.kind + "({})").format(self.ratio(inside))


def bracketed(text: str, needed: bool) -> str:
    return f"({text})" if needed else text


def times(coefficient: int | Fraction, parts: list[str]) -> str:
    parts = [part for part in parts if part != "1"]
    if not parts or abs(coefficient) != 1:
        return " ".join([str(coefficient), *parts])
    return ("-" if coefficient < 0 else "") + " ".join(parts)


def joined(terms: Iterable[str]) -> str:
    """A sum; raises when it is too long to be read."""
    text = " + ".join(terms).replace("+ -", "- ") or "0"
    if len(text) > LONGEST:
        raise LongError
    return text


class Reasons:
    """The proof of one pair, replayed once more to see which rule made which fact."""

    def __init__(self, problem: Problem, table: Table) -> None:
        self.context = Context(table, problem.variables, Work(WORK))
        self.context.begin(problem)
        self.write = Writer(self.context)
        self.made: dict[Key, Step] = {}
        self.solved: list[str] = []
        self.cases: Step | None = None

    def replay(self, script: Script) -> None:
        """The calls up to the cases, with what each of them says."""
        context = self.context
        for step in script:
            name, *args = step
            before = {key: fact.signs for key, fact in context.known.items()}
            if name == "cases":
                self.cases = step
                return
            if name == "lemma":
                context.learn(context.checked(args[0]), args[1], "cases")
            else:
                getattr(context, f"rule_{name}")(*args)
            if name == "solve":
                self.solved.append(self.equation(args[0]))
            for key, fact in context.known.items():
                if before.get(key) != fact.signs and name != "again" and "divided" not in fact.rule:
                    self.made[key] = step

    def equation(self, index: int) -> str:
        try:
            return f"{self.write.factor(index, 1)} = {self.write.ratio(self.context.values[index])}"
        except LongError:
            return "one name expressed by the others"

    def of_pair(self, pair: tuple[Node, Node], relation: str) -> list[str]:
        if self.cases is not None:
            return self.of_cases(self.cases, pair, relation)
        if relation in ("iff", "implies"):
            same = "both conditions have the same normal form"
            return [same if relation == "iff" else "where the first holds, so does the second"]
        gap = self.context.add(self.context.of(pair[0]), self.context.of(pair[1]), -1)
        if relation == "==" and not gap.top:
            return [self.of_equation(pair)]
        return self.of_sign(gap, relation)

    def of_equation(self, pair: tuple[Node, Node]) -> str:
        """What was used beside sums and products."""
        context, nodes = self.context, in_order(pair)
        ops = {node.op for node in nodes}
        names = [str(node.data) for node in nodes if node.op == "var" and "~" not in str(node.data)]
        rules = [(n, d.rule) for n in names if isinstance(d := context.domains[n], Finite)]
        used = [f"{n}² = {n if rule == 'label' else 1}" for n, rule in rules if rule][:1]
        used += ["log(a b) = log a + log b"] if "log" in ops else []
        used += ["exp(a + b) = exp a exp b"] if "exp" in ops else []
        used += ["Φ(-z) = 1 - Φ(z)"] if "Phi" in ops else []
        told = "the same after expanding" + (f", with {' and '.join(used[:2])}" if used else "")
        return f"the rules of derivatives; then {told}" if "diff" in ops else told

    def of_cases(self, step: Step, pair: tuple[Node, Node], relation: str) -> list[str]:
        """Which cases; and why in the one that is longest to prove."""
        _, target, kind, scripts = step
        told = self.told_cases(step)
        longest = max(range(len(scripts)), key=lambda k: len(str(scripts[k])))
        if scripts[longest]:
            signs = SIGNS_OF_CASES[kind][longest]
            self.context, self.cases = self.context.case().assume(target, signs), None
            self.replay(scripts[longest])
            return [told, *self.of_pair(pair, relation)[-1:]]
        return [told]

    def told_cases(self, step: Step) -> str:
        try:
            return f"in the cases {self.write.sum(step[1])} {CASES[step[2]]}"
        except LongError:
            return "in cases"

    def fact(self, a: Poly) -> Fact | None:
        return self.context.known.get(poly.key_of(poly.primitive(a)[1])) if a else None

    def step(self, a: Poly) -> Step | None:
        return self.made.get(poly.key_of(poly.primitive(a)[1])) if a else None

    def of_sign(self, gap: Ratio, relation: str) -> list[str]:
        """left - right, or right - left, and why it has its sign."""
        sides = "left - right"
        if relation in ("<", "<="):
            sides, gap = "right - left", Ratio(poly.scale(gap.top, -1), gap.below)
        told = {"==": "= 0", "!=": "≠ 0", "<=": "≥ 0", ">=": "≥ 0"}.get(relation, "> 0")
        common = poly.content(gap.top)
        rest = poly.shift(gap.top, poly.power_of_monomial(common, -1))
        step = self.step(gap.top)
        if step is None and common and len(rest) > 1:
            step = self.step(rest)
        else:
            common, rest = (), gap.top
        try:
            value = self.of_value(step, common, Ratio(rest, gap.below))
            lines = [f"{sides} = {value}" + (f" {told}" if value != "0" else "")]
        except LongError:
            lines = [f"{sides} is a sum of products whose signs are known"]
        known = self.fact(gap.top)
        if step is not None:
            lines += self.of_premises(step)
        elif known is not None and known.rule in KNOWN:
            lines += [KNOWN[known.rule]]
        return lines[:2]

    def of_value(self, step: Step | None, common: Monomial, rest: Ratio) -> str:
        """A product with what stands in every term; the rest as the sum that shows its sign."""
        if step is None or step[0] != "sum":
            text = self.write.sum(rest.top)
        elif len(step[2]) == 1:
            text, common = self.of_sum(with_monomial(step, common), rest.top), ()
        else:
            text = self.of_sum(step, rest.top)
        if common:
            text = f"{self.write.term(common, 1)} ({text})"
        if not rest.below:
            return text
        return bracketed(text, " " in text) + self.write.ratio(Ratio(poly.ONE, rest.below))[1:]

    def of_sum(self, step: Step, a: Poly) -> str:
        """The sum as the rule was told it."""
        _, target, parts, _ = step
        scale = Fraction(a[max(a)]) / Fraction(target[max(target)])
        terms = []
        for coefficient, factors in parts:
            texts = [self.of_factor(a, e) for a, e in factors]
            terms.append(times(poly.short(Fraction(coefficient) * scale), texts))
        return joined(terms)

    def of_factor(self, a: Poly, exponent: Exponent) -> str:
        """A power; (x - y)**2 and not (y - x)**2."""
        first = min((monomial for monomial in a if monomial), default=())
        if exponent % 2 == 0 and a[first] < 0:
            a = poly.scale(a, -1)
        return self.write.power(self.write.sum(a), exponent, len(a) > 1 or min(a.values()) < 0)

    def of_premises(self, step: Step) -> list[str]:
        """The most telling rule behind a fact."""
        waiting, seen = [step], 0
        found = []
        while waiting and seen < 20:
            one, seen = waiting.pop(0), seen + 1
            found.append(one)
            polys = [a for _, factors in one[2] for a, _ in factors] if one[0] == "sum" else []
            waiting += [made for a in polys if (made := self.step(a)) and made not in found]
        lines = dict.fromkeys(self.of_rule(one) for one in found)
        return sorted((line for line in lines if line), key=lambda line: " at " not in line)

    def of_rule(self, step: Step) -> str:
        name, *args = step
        if name == "logarithm":
            u = next(one for one in "utvzhk" if one not in self.context.domains)
            form, place = f"log {u} ≤ {u} - 1", self.context.fraction(*args)
            atoms = [self.context.table.atoms[index].kind for index in poly.atoms_in(place.top)]
            if len(place.top) == 1 and not place.below and {*atoms} == {"exp"}:
                form, place = f"exp {u} ≥ 1 + {u}", self.context.log(place)
            try:
                return f"{form} at {u} = {self.write.ratio(place)}"
            except LongError:
                return form
        if name == "convex":
            with suppress(LongError):
                x, at = self.write.factor(args[1], 1), self.write.sum(args[2])
                return f"convex in {x}, and flat at {x} = {at}"
            return "convex, and not negative where it is flat"
        if name == "lemma" and not args[3]:
            return self.told_cases(args[2][-1]) if args[2] and args[2][-1][0] == "cases" else ""
        if name == "monotone":
            return KNOWN[args[0]]
        return KNOWN.get(args[3] if name == "lemma" else name, "")


def with_monomial(step: Step, common: Monomial) -> Step:
    """A sum of one product, with what stands before it among its factors."""
    name, target, ((coefficient, factors),), zeros = step
    kept = []
    for factor, exponent in factors:
        if len(factor) == 1:
            ((monomial, value),) = factor.items()
            coefficient *= Fraction(value) ** exponent
            common = poly.times_monomials(common, poly.power_of_monomial(monomial, exponent))
        else:
            kept.append((factor, exponent))
    singles = [({(power,): 1}, 1) for power in common]
    return name, target, [(poly.short(coefficient), [*singles, *kept])], zeros


def reason(problem: Problem, scripts: list[Script], table: Table) -> str:
    """At most two lines about the pair whose proof is longest."""
    if any(atom.kind == "side" for atom in table.atoms):
        return "the same from both sides of each kink"
    try:
        told = Reasons(problem, table)
        begin = len(goals(problem)) - len(problem.pairs)
        for script in scripts[:begin]:
            told.replay(script)
            told.cases = None
        best = max(range(len(problem.pairs)), key=lambda k: len(str(scripts[begin + k])))
        for script in scripts[begin : begin + best + 1]:
            told.cases = None
            told.replay(script)
        lines = told.of_pair(problem.pairs[best], problem.relation)
        solved = f"with {', '.join(told.solved)}" if told.solved else ""
        return "\n".join([line for line in (solved, *lines) if line][:2])
    except (RuleError, TooBigError, LongError):
        return "sums and products whose signs are known; too long to be shown"
