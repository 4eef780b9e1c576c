"""Derivations that check themselves.

`verdict(lhs, rhs, symbols)` says whether one step of a derivation is true; `derive(text)` judges a
chain of such steps, a `Derivation`. Both speak the same small language, described here.

    >>> print(verdict("1 - sigma(z)", "sigma(-z)", {"z": "real"}))
    PROVED: the same after expanding, with exp(a + b) = exp a exp b
    >>> print(verdict("log(x**2)", "2*log(x)", {"x": "real"}))
    DOMAIN: at x = -1: left 0, right undefined; the right side is undefined: ...

**Numbers.** `2`, `0.5` (exactly 1/2), `1e-12` (exactly 10**-12), `pi`, and `e` unless a symbol has
that name. **Operators.** `+ - * / **` and `@` (matrix product). `x**2` is a square.
`0**0` is 1 for an exponent that is an integer; a power with another exponent needs a base >= 0.

**As typed elsewhere.** `^`, `≤`, `x²`, `2x`, `w^T x`, `wᵀx`, `w·x`, `|a|`, `||x||`, `σ(z)`, `ab`
for declared a and b, `w_i` for `w[i]`, `np.exp`, `x.dot(y)`, `y.mean()`, `norm(x, 1)`, `log1p`,
`erf`, `Var(y)`, `Cov(x, y)`, `sum_{i=1}^N y_i`, `d/dz f = g`, `S^-1 S = I`. Where a line can mean
two things it is refused, and the message offers both: `log 2x` (a function of brackets is always
clear), `1/2x`, `e^2x`, `|a|b|c|`. A declared name comes first: where σ or Σ is a symbol, it is no
function and no sum.

**Functions of numbers.** Logarithms are natural.

    exp log (ln) sqrt sigma (sigmoid) tanh abs sign logit softplus relu
    Phi phi Phi_inv        normal distribution function, its density, its inverse
    max(a, b)  min(a, b)   of two or more numbers, of one vector, or of vectors entry by entry
    factorial(k)  binomial(n, k)  delta(i, j)
    indicator(a > b)       1 or 0; I(...) is the same; conditions are comparisons, a < b < c,
                           and, or, not

**Vectors and matrices.** Declared as symbols or written out: `[a, b]` is a vector and
`[[a, b], [c, d]]` a matrix by rows. Indices start at 1; declare `index="0"` to count from 0.

    x[1]  X[i, j]  X[i]        entry of a vector, of a matrix, row i as a vector
    row(X, i)  col(X, j)
    A @ B  A @ x  A*B  c*A     matrix products; a number acts on every entry
    dot(w, x)  w @ x  T(w) @ x
    outer(x, y)  x @ T(y)
    transpose(X)  T(X)  X.T
    inv(A)  A**-1  A**2  det(A)  trace(A)
    norm(x)  sum(x)  prod(x)  mean(x)
    diag(x)                    vector -> diagonal matrix, matrix -> its diagonal
    eye(n)  ones(n)  ones(m, n)  zeros(n)  zeros(m, n)  unit(n, i)
    hadamard(x, y)  x*y  x**2  entry by entry, of two vectors; dot(x, y) is the number
    softmax(z)  logsumexp(z)
    exp(x)  sigma(x)  1 - x    functions and sums with a number act on every entry of a vector
    0                          stands for a zero vector or matrix when it is a whole side

**Sums.** Likewise `prod`, `max`, `min`.

    sum(term, i, 1, n)  sum(term, (i, 1, n))      both ends included
    sum(term, i, 1, n, i != k)                    only where the condition holds
    sum(term, i)                                  i declared as "int 1..3", label or sign
    sum(term for i in range(1, 4))                as in Python: 4 is excluded
    E(f, y, {0: 1 - p, 1: p})                     expectation of f when y takes these values with
                                                  these probabilities (which must add up to 1)

**Calculus.** Entries of a vector or matrix count as independent.

    diff(f, w)       derivative, gradient of a number, Jacobian of a vector
    diff(f, w, w)    second derivative, Hessian
    diff(f, z[k])    partial derivative
    subs(f, x, a)    f with x replaced; subs(f, {x: a, y: b}): several at once

**Domains** (`symbols={"w": "real"}`; `"x y z": "real"` declares three):

    real  positive  nonnegative  negative  nonpositive  nonzero
    probability          the open interval (0, 1), so that log(p) and 1/p exist
    closed probability   [0, 1]
    label01  sign        {0, 1}, {-1, 1}
    int 1..6             the integers from 1 to 6; as an index, an exponent, the end of a sum
    integer  natural     all integers; 1, 2, 3, ...
    {1, 2, 5}            a finite set of numbers
    interval 0 1         closed; "open interval 0 1" is open; also (0, 1), [0, inf)
    size                 a symbolic size, checked at 1, 2, 3, 4 ("size 2.." starts at 2)
    vector 3             vector d: a symbolic size, as if "d": "size" were declared
    positive vector 3    entries from any domain above: label01 vector N, sign vector 4, ...
    simplex 3            a vector of positive numbers that add up to 1 (also "probability vector 3";
                         "vector 3 of probability" has independent entries)
    matrix 2 3           matrix N d; "positive matrix 2 2" and so on as above
    symmetric 2          spd 2 (symmetric positive definite), psd 2 (semidefinite), diagonal 2,
                         invertible 2

**Hypotheses.** `given=["norm(x)**2 <= R**2", "s*dot(w, x) <= 0", "a != b"]` with `== != < <= > >=`,
chains (`0 < a < b`), `and` and `or` inside one string. They may be equations between vectors. A
hypothesis that no sample point meets gives UNDECIDED. `where={"z": "dot(w, x)"}` gives names to
terms; they are replaced before anything else.

**Derivations.** `derive(text)` reads a title, declarations (`x w: vector d; y: label01`), an empty
line, and the lines. `= f` and `<= f` compare with the line before, `d/dw: f` differentiates it,
`at x = 0, y = 1: f` takes it at a point, `E over y {0: 1 - p, 1: p}: f` its expectation. A whole
equation, `f > 0 if x > 0` and `f > 0 iff g > 0` stand for themselves; `#` begins the reason; after
an empty line a new chain starts. Before the first line, `let z = dot(w, x)`, `given: a > b` and
`sizes: N = 1, 2, 3` hold for all of them.

**Relations.** `==  <=  <  >=  >  !=` and `iff`, `implies` when both sides are conditions:
`verdict("p > 1 - p", "log(p/(1 - p)) > 0", {"p": "probability"}, relation="iff")`.

**Verdicts.** What each one promises:

    PROVED     both sides are defined and the relation holds on the whole domain; the reason is
               that of the proof
    PROVED for N = 1, 2, 3    the same, at these sizes. Of an inequality nothing more is claimed
               (`holds` is False); an equation was compared at larger sizes too, and holds unless
               something in it compares a size, an index or a sum with a number
    AGREES     an equation without a difference at the sample points, no proof found
    REFUTED    false at the witness: exact rational numbers, or intervals that do not overlap
    DOMAIN     one side (or both) is undefined at the witness, a point that meets the hypotheses
    UNDECIDED  nothing could be said within the limits; so is an inequality without a proof
    INVALID    the line is not in the language; the message shows where
    INTERNAL   the judge itself failed, which is never counted against a line; the message names
               the file in which the line is kept. "Beyond the limits" is said of limits only
"""

from linecheck.derivation.chain import Derivation
from linecheck.derivation.text import derive
from linecheck.judge.ask import verdict
from linecheck.judge.verdicts import Verdict

__all__ = ["Derivation", "Verdict", "derive", "verdict"]
