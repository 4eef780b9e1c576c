"""Derivations that check themselves.

`verdict(lhs, rhs, symbols)` says whether one step of a derivation is true; a `Derivation` is a
chain of such steps. Both speak the same small language, described here.

    >>> verdict("1 - sigma(z)", "sigma(-z)", {"z": "real"}).status
    PROVED
    >>> print(verdict("log(x**2)", "2*log(x)", {"x": "real"}))
    DOMAIN: the right side is undefined at x = -1 ...

**Numbers.** `2`, `0.5` (exactly 1/2), `1e-12` (exactly 10**-12), `pi`, and `e` unless a symbol has
that name. **Operators.** `+ - * / **` and `@` (matrix product). `x**2` is a square; `^` is refused.

**Functions of numbers.** `exp log (ln) sqrt sigma (sigmoid) tanh abs sign max min Phi phi Phi_inv`
(normal distribution function, its density, its inverse), `logit(p)`, `softplus(z)`, `relu(z)`,
`factorial(k)`, `binomial(n, k)`, `delta(i, j)` (1 if equal, else 0),
`indicator(a > b)` (1 or 0; `I(...)` is the same; conditions are comparisons, `a < b < c`, `and`,
`or`, `not`). `max` and `min` take two or more numbers, or one vector (its largest entry), or
vectors and numbers (entry by entry). Logarithms are natural.
`0**0` is 1 for an exponent that is an integer; a power with another exponent needs a base >= 0.

**Vectors and matrices.** Declared as symbols or written out: `[a, b]` is a vector, `[[a, b], [c,
d]]` a matrix by rows. Indices start at 1: `x[1]`, `X[i, j]`, `X[i]` (row i as a vector). `dot(w,
x)`, `norm(x)`, `sum(x)`, `prod(x)`, `mean(x)`, `X @ w`, `transpose(X)` or `T(X)` or `X.T`,
`inv(A)` (`inverse`), `A**-1`, `A**2`, `det(A)`, `trace(A)` (`tr`), `outer(x, y)`, `diag(x)`
(vector -> diagonal matrix, matrix -> its diagonal), `eye(n)`, `ones(n)`, `ones(m, n)`, `zeros(n)`,
`zeros(m, n)`, `unit(n, i)` (unit vector), `hadamard(x, y)` (entry by entry), `col(X, j)`, `row(X,
i)`, `softmax(z)`, `logsumexp(z)`. A number times or divided into a vector or a matrix acts on
every entry, `1 - x` as well; `A*B` with a matrix is the matrix product; `x*y` of two vectors is
refused as ambiguous. `exp log sqrt sigma abs ...` of a vector act on every entry. `x @ y` of two
vectors is their dot product, `T(x) @ y` as well, `x @ T(y)` their outer product. `0` on one side
stands for a zero vector or matrix.

**Sums.** `sum(term, i, first, last)` with both ends included, `sum(term, (i, first, last))`, or
`sum(term, i)` when `i` is declared as `"int 1..3"` (or label, sign: then over its values);
`prod(...)`, `max(...)`, `min(...)` likewise. `sum(term for i in range(1, 4))` follows Python: 4 is
excluded. `sum(term, i, 1, n, i != k)` leaves out the terms whose condition is false.
`E(f, y, {0: 1 - p, 1: p})` is the expectation of f when y takes these values with these
probabilities (they must add up to 1).

**Calculus.** `diff(f, w)`: derivative; for a vector `w` the gradient, for a matrix the matrix of
partial derivatives (entries count as independent); of a vector f with respect to a vector the
Jacobian. `diff(f, w, w)`: second derivative, for a vector the Hessian. `diff(f, z[k])`: partial.
`subs(f, x, value)`: f with x replaced (`subs(f, {x: a, y: b})`: several at once).

**Domains** (`symbols={"w": "real"}`; `"x y z": "real"` declares three):

    real  positive  nonnegative  negative  nonzero  integer is written "int a..b"
    probability          the open interval (0, 1), so that log(p) and 1/p exist
    closed probability   [0, 1]
    label01  sign        {0, 1}, {-1, 1}
    int 1..6             the integers from 1 to 6; as an index, an exponent, the end of a sum
    size                 a symbolic size, checked at 1, 2, 3, ... ("size 2.." starts at 2)
    vector 3             vector d: a symbolic size, as if "d": "size" were declared
    positive vector 3    entries from any domain above: label01 vector N, sign vector 4, ...
    simplex 3            a vector of positive numbers that add up to 1
    matrix 2 3           matrix N d; "positive matrix 2 2" and so on as above
    symmetric 2          spd 2 (symmetric positive definite), psd 2 (semidefinite), diagonal 2,
                         invertible 2
    {1, 2, 5}            a finite set of numbers
    interval 0 1         closed; "open interval 0 1" is open; also (0, 1), [0, inf)

`x2`, `3x2`, commas and the words "real", "of size", "by" are understood, so are the longer names
`label`, `binary`, `symmetric positive definite`, `real vector 3`, `3-vector`, `2x2 matrix`.

**Hypotheses.** `given=["norm(x)**2 <= R**2", "s*dot(w, x) <= 0", "a != b"]` with `== != < <= > >=`,
chains (`0 < a < b`), `and` inside one string, and `or`. An equation among the hypotheses may hold
for vectors. A hypothesis that no sample point meets gives UNDECIDED.
`where={"z": "dot(w, x)"}` gives names to terms; they are replaced before anything else.

**Relations.** `==  <=  <  >=  >  !=` and `iff`, `implies` when both sides are conditions:
`verdict("p > 1 - p", "log(p/(1 - p)) > 0", {"p": "probability"}, relation="iff")`.

**Verdicts.** What each one promises:

    PROVED     both sides are defined and the relation holds on the whole domain, by exact algebra;
               for symbolic sizes, at the sizes named in the reason (or all, when it says so)
    AGREES     an equation without a difference at the sample points, no proof found
    REFUTED    false at the witness: exact rational numbers, or intervals that do not overlap
    DOMAIN     one side (or both) is undefined at the witness, a point that meets the hypotheses
    UNDECIDED  nothing could be said within the limits; so is an inequality without a proof
    INVALID    the line is not in the language; the message shows where
"""

from lectures_lib.proofs._verdict import Status, Verdict, Witness, verdict
from lectures_lib.proofs.derivation import Derivation, LineReport, Report
from lectures_lib.proofs.errata import check_erratum, errata, erratum

__all__ = [
    "Derivation",
    "LineReport",
    "Report",
    "Status",
    "Verdict",
    "Witness",
    "check_erratum",
    "errata",
    "erratum",
    "verdict",
]
