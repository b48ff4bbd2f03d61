"""Reference vectors for internal/stats, from SciPy and statsmodels.

    python3 -m venv /tmp/v && /tmp/v/bin/pip install scipy==1.17.1 statsmodels
    /tmp/v/bin/python internal/stats/testdata/reference.py > internal/stats/testdata/reference.json

Nothing here uses the closed forms of the Go code: e-values go through SciPy's
softmax, and the hull is a grid.
"""

import json
import sys

import numpy as np
from scipy import special, stats
from scipy.stats import mstats
from statsmodels.stats.multitest import multipletests


THETAS = np.array([0.5, 1, 1.75, 3, 5, 10]) / 1.5
BETS = [(sign * theta, clip) for clip in (1.5, 4) for theta in THETAS for sign in (1, -1)]


def student(d, control, mus):
    """The other half of e_n, from what it means: of a normal effect with standard deviation c, in those of a block, Student's t is
    sqrt(1 + n c^2) times as wide. The variance is at least half of the control's."""
    n, mus = len(d), np.asarray(mus, dtype=float)
    if n == 1:
        return np.ones_like(mus)
    sd = d.std(ddof=1) if control is None else max(d.std(ddof=1), control.std(ddof=1) / np.sqrt(2))
    t = np.sqrt(n) * (d.mean() - mus) / sd
    wide = [np.sqrt(1 + n * c * c) for c in (1, 3)]
    with np.errstate(over="ignore"):
        return np.mean([np.exp(stats.t.logpdf(t / w, n - 1) - np.log(w) - stats.t.logpdf(t, n - 1)) for w in wide], axis=0)


def e_values(d, control, mu):
    """e_1..e_n as docs/methodology.md writes them, with SciPy's softmax and Student's t."""
    products, sizes, out = np.ones(len(BETS)), [], []
    for i in range(len(d)):
        u = np.array([d[i] - mu, 0.0] + ([control[i]] if control is not None else []))
        w = u - np.median(u) if control is not None else np.array([u[0], 0.0])
        sizes.append(np.mean(np.abs(w)) if control is not None else abs(w[0]))
        z = w / np.median(sizes)
        for k, (theta, clip) in enumerate(BETS):
            c = np.clip(z, -clip, clip)
            products[k] *= 1 + special.softmax(theta * c)[0] - special.softmax(-theta * c)[0]
        out.append(float((products.mean() + student(d[: i + 1], None if control is None else control[: i + 1], mu)) / 2))
    return out


def grid_top(d, control, mus, last):
    """max over k of e_k, or e_n alone, for all mus at once; plain numpy."""
    v = d[:, None] - mus[None, :]
    zero = np.zeros_like(v)
    u = np.stack([v, zero] if control is None else [v, zero, np.broadcast_to(control[:, None], v.shape)])
    w = u if control is None else u - np.median(u, axis=0)
    size = np.abs(v) if control is None else np.abs(w).mean(axis=0)
    products, top = np.ones((len(BETS), len(mus))), np.zeros(len(mus))
    for i in range(len(d)):
        z = w[:, i] / np.median(size[: i + 1], axis=0)
        for k, (theta, clip) in enumerate(BETS):
            x = np.exp(theta * np.clip(z, -clip, clip))
            products[k] *= 1 + x[0] / x.sum(axis=0) - (1 / x[0]) / (1 / x).sum(axis=0)
        e = (products.mean(axis=0) + student(d[: i + 1], None if control is None else control[: i + 1], mus)) / 2
        top = e if last else np.maximum(top, e)
    return top


def hull(d, control, threshold, last):
    """The hull on a grid, refined once around either end; none where unbounded."""
    mid, half = np.median(d), 20 * d.std(ddof=1)
    if grid_top(d, control, mid + half * np.array([-1e6, 1e6]), last).min() < threshold:
        return None, None
    coarse = np.linspace(mid - half, mid + half, 40001)
    ok = coarse[grid_top(d, control, coarse, last) < threshold]
    step = coarse[1] - coarse[0]
    ends = []
    for end, pick in ((ok[0], 0), (ok[-1], -1)):
        fine = np.linspace(end - step, end + step, 2001)
        ends.append(float(fine[grid_top(d, control, fine, last) < threshold][pick]))
    return ends


def series(rng):
    def normal(n, sd):
        return sd * rng.standard_normal(n)

    yield "normal 12", normal(12, 0.01), normal(12, 0.01)
    yield "normal 40", 0.02 + normal(40, 0.01), normal(40, 0.004)
    yield "t3 25", -0.01 + 0.006 * rng.standard_t(3, 25), 0.006 * rng.standard_t(3, 25)
    spiky = normal(30, 0.01)
    spiky[[4, 11, 12, 27]] += [0.12, -0.09, 0.07, 0.14]
    yield "spikes 30", spiky, normal(30, 0.01)
    yield "without control 16", 0.003 + normal(16, 0.01), None
    yield "two-level without control 20", 0.03 * (rng.integers(0, 2, 20) - rng.integers(0, 2, 20)) + normal(20, 0.002), None


def main():
    rng = np.random.default_rng(20260901)
    out = {"engine": [], "quantile": [], "beta": [], "holm": [], "bh": []}
    for name, d, control in series(rng):
        case = {"name": name, "d": d.tolist(), "control": None if control is None else control.tolist(), "at": [], "hulls": []}
        for mu in (0.0, 0.01, -0.025):
            case["at"].append({"mu": mu, "e": e_values(d, control, mu)})
        for threshold, last in ((20, False), (100, False), (1040, True), (2000, True)):
            lo, hi = hull(d, control, threshold, last)
            case["hulls"].append({"threshold": threshold, "last": last, "lo": lo, "hi": hi})
        out["engine"].append(case)
    for n in (1, 2, 7, 100):
        x = np.sort(rng.lognormal(0, 1, n))
        ps = [0.1, 0.5, 0.9, 0.99]
        q = mstats.hdquantiles(x, ps) if n > 1 else np.full(len(ps), x[0])
        out["quantile"].append({"x": x.tolist(), "p": ps, "q": [float(v) for v in q]})
    for n in (10, 1_000, 1_000_000, 10_000_000):
        for p in (0.5, 0.99, 0.999):
            for off in (-2, -0.5, 0, 1):
                rank = int(round(n * p + off * np.sqrt(n * p * (1 - p))))
                if 0 < rank < n:
                    w = special.betainc((n + 1) * p, (n + 1) * (1 - p), rank / n)
                    out["beta"].append({"n": n, "p": p, "rank": rank, "w": float(w)})
    for m in (1, 5, 20):
        p = rng.uniform(0, 1, m) ** 4
        p[-1] = p[0]  # a tie
        out["holm"].append({"p": p.tolist(), "adjusted": multipletests(p, method="holm")[1].tolist()})
        # e-BH on e = 1/p is BH on p.
        k = int((stats.false_discovery_control(p, method="bh") <= 0.05).sum())
        out["bh"].append({"p": p.tolist(), "rejected": k})
    json.dump(out, sys.stdout, indent=0)
    print()


main()
