"""Reference vectors for internal/stats, from SciPy and statsmodels.

    python3 -m venv /tmp/v && /tmp/v/bin/pip install scipy==1.17.1 statsmodels
    /tmp/v/bin/python internal/stats/testdata/reference.py > internal/stats/testdata/reference.json

Nothing here uses the closed forms of the Go code. e_t is the Bayes factor that
it is derived from: with effect/sd ~ N(0, 1) the t statistic is sqrt(n+1) times
a central t; it is capped at 2^(n-1). e_s is its mixture integral over lambda. The
hull is a grid. Errors under two-level noise are counted, not drawn.
"""

import json
import sys

import numpy as np
from scipy import integrate, special, stats
from scipy.stats import mstats
from statsmodels.stats.multitest import multipletests


def e_t(d, mu):
    n = len(d)
    if n < 2:
        return 1.0
    t = stats.ttest_1samp(d, mu).statistic
    w = np.sqrt(n + 1)
    return min(stats.t.pdf(t / w, n - 1) / w / stats.t.pdf(t, n - 1), 2.0 ** (n - 1))


def scores(d, mu):
    y = []
    for i in range(len(d)):
        past = d[: max(i, 5)]
        mad = stats.median_abs_deviation(past, center=lambda a, axis: mu)
        y.append(np.clip((d[i] - mu) / (1.4826 * mad), -2, 2))
    return np.array(y)


def e_s(d, mu):
    if len(d) < 5:
        return 1.0
    y = scores(d, mu)
    s, v = y.sum(), (y**2).sum()
    at = s / (v + 1)  # where the integrand peaks
    f = lambda lam: np.exp(lam * s - lam**2 * v / 2) * stats.norm.pdf(lam)
    return integrate.quad(f, at - 12, at + 12, points=[at], epsabs=0, epsrel=1e-11, limit=500)[0]


def grid_top(d, mus, start):
    """max over start <= k <= n of e_k, for all mus at once; plain numpy."""
    dev = d[:, None] - mus[None, :]
    top = np.full(len(mus), -np.inf)
    s = np.zeros(len(mus))
    v = np.zeros(len(mus))
    for i in range(len(d)):
        scale = 1.4826 * np.median(np.abs(dev[: max(i, 5)]), axis=0)
        y = np.clip(dev[i] / scale, -2, 2)
        s, v = s + y, v + y**2
        n = i + 1
        if n < max(start, 5):
            continue
        t = n * (d[:n].mean() - mus) ** 2 / (d[:n].var(ddof=1) * (n - 1))
        et = np.sqrt(1 / (n + 1)) * ((1 + t) / (1 + t / (n + 1))) ** (n / 2)
        et = np.minimum(et, 2.0 ** (n - 1))
        es = np.exp(s**2 / (2 * (v + 1))) / np.sqrt(v + 1)
        top = np.maximum(top, (et + es) / 2)
    return top


def hull(d, threshold, start):
    """The hull on a grid, refined once around either end; none where unbounded."""
    mid, half = np.median(d), 20 * d.std(ddof=1)
    if grid_top(d, mid + half * np.array([-1e6, 1e6]), start).min() < threshold:
        return None, None
    coarse = np.linspace(mid - half, mid + half, 40001)
    ok = coarse[grid_top(d, coarse, start) < threshold]
    step = coarse[1] - coarse[0]
    ends = []
    for end, pick in ((ok[0], 0), (ok[-1], -1)):
        fine = np.linspace(end - step, end + step, 2001)
        ends.append(float(fine[grid_top(d, fine, start) < threshold][pick]))
    return ends


def two_level(bound, start, blocks):
    """P(e_k >= bound for some start <= k <= blocks) where D = +-1, by the number of minus signs."""
    alive, crossed = np.ones(1), 0.0
    for k in range(1, blocks + 1):
        alive = (np.append(alive, 0) + np.append(0, alive)) / 2
        total = k - 2 * np.arange(k + 1)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            t = total**2 / (k**2 - total**2)  # infinite where all signs are equal
            et = np.sqrt(1 / (k + 1)) * ((1 + 1 / t) / (1 / (k + 1) + 1 / t)) ** (k / 2)
        et[total == 0] = np.sqrt(1 / (k + 1))
        v = k / 1.4826**2 if k >= 5 else 0.0
        s = total / 1.4826 if k >= 5 else 0.0 * total
        e = (np.minimum(et, 2.0 ** (k - 1)) + np.exp(s**2 / (2 * (v + 1))) / np.sqrt(v + 1)) / 2
        if k >= start:
            crossed += alive[e >= bound].sum()
            alive[e >= bound] = 0
    return float(crossed)


def series(rng):
    yield "normal 12", 0.01 * rng.standard_normal(12)
    yield "normal 40", 0.02 + 0.01 * rng.standard_normal(40)
    yield "t3 25", -0.01 + 0.006 * rng.standard_t(3, 25)
    spiky = 0.01 * rng.standard_normal(30)
    spiky[[4, 11, 12, 27]] += [0.12, -0.09, 0.07, 0.14]
    yield "spikes 30", spiky
    yield "two-level 16", 0.03 * (rng.integers(0, 2, 16) - rng.integers(0, 2, 16)) + 0.002 * rng.standard_normal(16)


def main():
    rng = np.random.default_rng(20260901)
    out = {"engine": [], "twolevel": [], "quantile": [], "beta": [], "holm": [], "bh": []}
    for name, d in series(rng):
        case = {"name": name, "d": d.tolist(), "at": [], "hulls": []}
        for mu in (0.0, 0.01, -0.025):
            ks = range(1, len(d) + 1)
            case["at"].append({
                "mu": mu,
                "t": [float(e_t(d[:k], mu)) for k in ks],
                "s": [float(e_s(d[:k], mu)) for k in ks],
            })
        for threshold, start in ((20, 6), (100, 10), (1040, len(d)), (2000, len(d))):
            lo, hi = hull(d, threshold, start)
            case["hulls"].append({"threshold": threshold, "from": start, "lo": lo, "hi": hi})
        out["engine"].append(case)
    for bound, start in ((20, 6), (100, 9), (100, 10), (1000, 10), (2000, 10)):
        p = two_level(bound, start, 300)
        out["twolevel"].append({"bound": bound, "from": start, "blocks": 300, "p": p})
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
