"""A second opinion on derivations: the language of the proofs, evaluated in floats.

It shares no code with the proof engine: Python's `ast` and NumPy, random points of the declared
domains, finite differences for derivatives. It can only refute; that is what a test needs to know
whether a mutated line is really false.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import least_squares
from scipy.special import expit, logsumexp, ndtr, ndtri, softmax

from tests.proof_recorder import Step

Env = dict[str, Any]


# -------------------------------------------------------------------------------- sampling


def points(step: Step, rng: np.random.Generator, count: int) -> Iterator[tuple[Env, bool]]:
    """Random points of the domain that meet the hypotheses (at most `count` for each size).

    The flag says whether an equation was solved numerically, so that it holds only roughly.
    """
    for sizes in _sizes(step):
        found = 0
        for _ in range(60 * count):
            env: Env = {**sizes, "__where__": step.where}
            for names, domain in step.symbols.items():
                for name in names.replace(",", " ").split():
                    env[name] = _draw(domain, env, rng)
            solved = _solve_equations(step.given, env, rng)
            if solved is None or not all(_holds(text, env, solved) for text in step.given):
                continue
            yield env, solved
            found += 1
            if found == count:
                break


def _sizes(step: Step) -> Iterator[Env]:
    words = {word for domain in step.symbols.values() for word in domain.split()}
    declared = {n for names in step.symbols for n in names.replace(",", " ").split()}
    symbolic = sorted(w for w in words if re.fullmatch(r"[A-Za-z]\w?", w) and w not in declared)
    choices = [step.sizes.get(name, (1, 2, 3)) for name in symbolic]
    for combination in product(*choices):
        yield dict(zip(symbolic, combination, strict=True))


SCALARS: dict[str, Callable[[np.random.Generator], Any]] = {
    "real": lambda rng: rng.uniform(-2, 2),
    "positive": lambda rng: rng.uniform(0.1, 3),
    "nonnegative": lambda rng: rng.choice([0.0, rng.uniform(0, 12)]),
    "nonzero": lambda rng: rng.choice([-1, 1]) * rng.uniform(0.1, 3),
    "negative": lambda rng: -rng.uniform(0.1, 3),
    "probability": lambda rng: rng.uniform(0.02, 0.98),
    "probabilities": lambda rng: rng.uniform(0.02, 0.98),  # "probability vector" is a simplex
    "closed probability": lambda rng: rng.choice([0.0, 1.0, rng.uniform()]),
    "label01": lambda rng: float(rng.integers(0, 2)),
    "sign": lambda rng: float(rng.choice([-1, 1])),
}


def _draw(domain: str, env: Env, rng: np.random.Generator) -> Any:
    if domain in SCALARS:
        return SCALARS[domain](rng)
    if match := re.fullmatch(r"int (\d+)\.\.(\d+)", domain):
        return int(rng.integers(int(match[1]), int(match[2]) + 1))
    words = domain.split()
    numbers = [env[w] if w in env else int(w) for w in words if w in env or w.isdigit()]
    shape = tuple(int(n) for n in numbers)
    head = " ".join(w for w in words if not (w in env or w.isdigit()))
    return _draw_array(head, shape, rng)


def _draw_array(head: str, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    if head == "simplex":
        weights = rng.uniform(0.05, 1, shape[0])
        return weights / weights.sum()
    square = rng.uniform(-2, 2, (shape[0], shape[0]))
    special = {
        "spd": lambda: square @ square.T + 0.2 * np.eye(shape[0]),
        "symmetric": lambda: square + square.T,
        "invertible": lambda: square + 5 * np.eye(shape[0]),
    }
    if head in special:
        return special[head]()
    scalar = head.replace("vector", "").replace("matrix", "").strip() or "real"
    values = [SCALARS[scalar](rng) for _ in range(int(np.prod(shape)))]
    return np.array(values, dtype=float).reshape(shape)


def _solve_equations(given: Sequence[str], env: Env, rng: np.random.Generator) -> bool | None:
    """Move the real symbols so that the equations among the hypotheses hold; None if not found."""
    equations = [ast.parse(text, mode="eval").body for text in given if "==" in text]
    if not equations:
        return False
    names = [n for n, v in env.items() if isinstance(v, float | np.ndarray)]
    start = np.concatenate([np.ravel(env[n]) for n in names])

    def unpack(flat: np.ndarray) -> Env:
        moved, place = dict(env), 0
        for n in names:
            size = np.size(env[n])
            piece = flat[place : place + size]
            moved[n] = float(piece[0]) if np.ndim(env[n]) == 0 else piece.reshape(np.shape(env[n]))
            place += size
        return moved

    def residual(flat: np.ndarray) -> np.ndarray:
        moved = unpack(flat)
        return np.concatenate(
            [
                np.ravel(evaluate(e.left, moved) - evaluate(e.comparators[0], moved))
                for e in equations
                if isinstance(e, ast.Compare)
            ]
        )

    answer = least_squares(residual, start, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    if np.abs(answer.fun).max() > 1e-9:
        return None
    env.update(unpack(answer.x))
    return True


def _holds(text: str, env: Env, rough: bool) -> bool:
    return True if rough and "==" in text else bool(evaluate(_tree(text), env))


# ------------------------------------------------------------------------------ evaluation


def _tree(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


def evaluate(node: ast.expr, env: Env) -> Any:
    """Value of an expression at a point."""
    if isinstance(node, ast.Constant):
        return float(node.value) if isinstance(node.value, float) else node.value
    if isinstance(node, ast.Name):
        return _name(node.id, env)
    if isinstance(node, ast.UnaryOp):
        value = evaluate(node.operand, env)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        return _binary(node.op, evaluate(node.left, env), evaluate(node.right, env))
    if isinstance(node, ast.Compare):
        return _compare(node, env)
    if isinstance(node, ast.BoolOp):
        parts = [bool(evaluate(value, env)) for value in node.values]
        return all(parts) if isinstance(node.op, ast.And) else any(parts)
    if isinstance(node, ast.Subscript):
        return _entry(evaluate(node.value, env), node.slice, env)
    if isinstance(node, ast.List):
        return np.array([evaluate(element, env) for element in node.elts], dtype=float)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _call(node.func.id, node.args, env)
    raise ValueError(ast.dump(node))


def _name(name: str, env: Env) -> Any:
    if name in env:
        return env[name]
    if name in env["__where__"]:
        return evaluate(_tree(env["__where__"][name]), env)
    return {"pi": math.pi}[name]


def _binary(op: ast.operator, a: Any, b: Any) -> Any:
    if isinstance(op, ast.Add):
        return a + b
    if isinstance(op, ast.Sub):
        return a - b
    if isinstance(op, ast.Mult):
        return a @ b if np.ndim(a) == 2 and np.ndim(b) >= 1 else a * b
    if isinstance(op, ast.Div):
        return np.nan if np.ndim(b) == 0 and b == 0 else a / b
    if isinstance(op, ast.MatMult):
        return a @ b
    if isinstance(op, ast.Pow):
        return np.nan if a == 0 and b < 0 else float(a) ** b
    raise ValueError(op)


def _compare(node: ast.Compare, env: Env) -> bool:
    values = [evaluate(part, env) for part in (node.left, *node.comparators)]
    tests = {
        ast.Lt: np.less,
        ast.LtE: np.less_equal,
        ast.Gt: np.greater,
        ast.GtE: np.greater_equal,
        ast.Eq: np.equal,
        ast.NotEq: np.not_equal,
    }
    return all(
        bool(tests[type(op)](a, b)) for op, a, b in zip(node.ops, values, values[1:], strict=False)
    )


def _entry(value: Any, place: ast.expr, env: Env) -> Any:
    parts = place.elts if isinstance(place, ast.Tuple) else [place]
    index = tuple(int(evaluate(part, env)) - 1 for part in parts)
    if min(index) < 0:
        raise IndexError(index)
    return value[index]


PLAIN: dict[str, Callable[..., Any]] = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "sigma": expit,
    "abs": np.abs,
    "sign": np.sign,
    "Phi": ndtr,
    "Phi_inv": ndtri,
    "logit": lambda p: np.log(p / (1 - p)),
    "softplus": lambda z: np.logaddexp(0, z),
    "binomial": math.comb,
    "delta": lambda i, j: float(i == j),
    "dot": lambda a, b: np.dot(a, b),
    "norm": np.linalg.norm,
    "mean": np.mean,
    "T": np.transpose,
    "inv": np.linalg.inv,
    "det": np.linalg.det,
    "trace": np.trace,
    "outer": np.outer,
    "diag": np.diag,
    "eye": np.eye,
    "ones": np.ones,
    "zeros": np.zeros,
    "unit": lambda n, i: np.eye(n)[i - 1],
    "hadamard": np.multiply,
    "col": lambda X, j: X[:, j - 1],
    "row": lambda X, i: X[i - 1],
    "softmax": softmax,
    "logsumexp": logsumexp,
}


def _call(name: str, args: list[ast.expr], env: Env) -> Any:
    if name in ("sum", "prod") and len(args) > 1:
        terms = list(_terms(args, env))
        return sum(terms[1:], terms[0]) if name == "sum" and terms else _product(name, terms)
    if name in ("sum", "prod"):
        return getattr(np, name)(evaluate(args[0], env))
    if name in ("max", "min"):
        return getattr(np, name)([evaluate(arg, env) for arg in args])
    if name == "indicator":
        return float(bool(evaluate(args[0], env)))
    if name == "subs":
        return evaluate(args[0], {**env, **_replaced(args[1:], env)})
    if name == "E":
        return _expectation(args, env)
    if name == "diff":
        return derivative(args[0], [ast.unparse(arg) for arg in args[1:]], env)
    return PLAIN[name](*(evaluate(arg, env) for arg in args))


def _product(name: str, terms: list[Any]) -> Any:
    return math.prod(terms) if name == "prod" else 0.0


def _terms(args: list[ast.expr], env: Env) -> Iterator[Any]:
    term, index, first, last, *condition = args
    assert isinstance(index, ast.Name)
    for value in range(int(evaluate(first, env)), int(evaluate(last, env)) + 1):
        inner = {**env, index.id: value}
        if not condition or evaluate(condition[0], inner):
            yield evaluate(term, inner)


def _replaced(args: list[ast.expr], env: Env) -> Env:
    if isinstance(args[0], ast.Dict):
        pairs = zip(args[0].keys, args[0].values, strict=True)
        return {ast.unparse(k): evaluate(v, env) for k, v in pairs if k is not None}
    return {ast.unparse(args[0]): evaluate(args[1], env)}


def _expectation(args: list[ast.expr], env: Env) -> Any:
    table = args[2]
    assert isinstance(table, ast.Dict)
    return sum(
        evaluate(weight, env) * evaluate(args[0], {**env, ast.unparse(args[1]): evaluate(v, env)})
        for v, weight in zip(table.keys, table.values, strict=True)
        if v is not None
    )


def derivative(term: ast.expr, variables: list[str], env: Env, h: float = 0.0) -> Any:
    """Central differences, entry by entry; two variables give second derivatives."""
    *inner, variable = variables
    match = re.fullmatch(r"(\w+)\[(\d+)\]", variable)
    name = match[1] if match else variable
    shape = np.shape(env[name])
    h = h or (1e-3 if inner else 1e-6)

    def at(place: tuple[int, ...], step: float) -> Any:
        moved = np.array(env[name], dtype=float)
        moved[place] += step
        point = {**env, name: moved if shape else float(moved)}
        return derivative(term, inner, point, h) if inner else evaluate(term, point)

    def slope(place: tuple[int, ...]) -> Any:
        return (at(place, h) - at(place, -h)) / (2 * h)

    if match:
        return slope((int(match[2]) - 1,))
    if not shape:
        return slope(())
    slopes = np.array([slope(place) for place in np.ndindex(*shape)])
    return np.stack(slopes, axis=-1) if inner or np.ndim(slopes) > 1 else slopes.reshape(shape)


# --------------------------------------------------------------------------------- opinion


def is_refuted(step: Step, seed: int = 0, count: int = 12) -> bool:
    """Whether the step is clearly false at some random point (or has the wrong shape)."""
    rng = np.random.default_rng(seed)
    rough = 1e-4 if step.derivative or "diff(" in step.lhs + step.rhs else 1e-7
    with np.errstate(all="ignore"):
        for env, solved in points(step, rng, count):
            try:
                if _fails(step, env, max(rough, 1e-6) if solved else rough):
                    return True
            except (ValueError, IndexError, np.linalg.LinAlgError):
                return True
    return False


def was_tried(step: Step) -> bool:
    """Whether the sampler finds points that meet the hypotheses."""
    return any(True for _ in points(step, np.random.default_rng(0), 1))


def _fails(step: Step, env: Env, rough: float) -> bool:
    if step.relation == "iff":
        return bool(evaluate(_tree(step.lhs), env)) != bool(evaluate(_tree(step.rhs), env))
    left = (
        derivative(_tree(step.lhs), [v.strip() for v in step.derivative.split(",")], env)
        if step.derivative
        else evaluate(_tree(step.lhs), env)
    )
    right = evaluate(_tree(step.rhs), env)
    if np.shape(left) != np.shape(right) and np.ndim(right) * np.ndim(left):
        return True
    margin = rough * (1 + np.abs(left) + np.abs(right))
    gap = np.asarray(left - right, dtype=float)
    if np.isnan(gap).any():
        return True
    tests = {
        "==": np.abs(gap) > margin,
        "<=": gap > margin,
        ">=": gap < -margin,
        "<": gap > margin,
        ">": gap < -margin,
        "!=": np.zeros(1, dtype=bool),
    }
    return bool(np.any(tests[step.relation]))
