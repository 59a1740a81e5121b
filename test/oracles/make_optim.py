"""Writes optim.json next to this file: what test/optim expects of optimizers, schedules and losses.

Run:  python3 test/oracles/make_optim.py   (needs numpy and scipy)

Optimizers are written here from their papers, in f64, and run for 20 steps on the gradient of
    f(a, b) = sum(c a^4 / 4) + sum((b - t)^2 / 2) + sum(a) sum(b) / 10
which the test takes of the same function. Kept are the parameters after every step.
"""

import json
import os

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, logsumexp, rel_entr

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(20261122)
STEPS = 20
C = np.array([0.5, 1.0, 2.0])
T = np.array([[1.0, -2.0], [0.25, 3.0]])
A0 = np.array([1.5, -0.75, 0.5])
B0 = np.array([[0.5, 0.5], [-1.0, 2.0]])


def gradient(p):
    a, b = p[:3], p[3:]
    return np.concatenate([C * a**3 + b.sum() / 10, (b - T.ravel()) + a.sum() / 10])


def run(step):
    """Parameters after each step of a function of (step number from 1, parameters, gradient, memory)."""
    p, memory, seen = np.concatenate([A0, B0.ravel()]), {}, []
    for t in range(1, STEPS + 1):
        p = p + step(t, p, gradient(p), memory)
        seen.append(p.tolist())
    return seen


def sgd(rate, momentum=0.0, nesterov=False):
    def step(t, p, g, m):
        m["v"] = momentum * m.get("v", 0) + g
        return -rate * (g + momentum * m["v"] if nesterov else m["v"])
    return step


def adam(rate, b1=0.9, b2=0.999, eps=1e-8, decay=0.0, masked=False):
    def step(t, p, g, m):
        m["m"] = b1 * m.get("m", 0) + (1 - b1) * g
        m["v"] = b2 * m.get("v", 0) + (1 - b2) * g * g
        mean, var = m["m"] / (1 - b1**t), m["v"] / (1 - b2**t)
        own = rate(t - 1) if callable(rate) else rate
        weights = p * np.array([0, 0, 0, 1, 1, 1, 1]) if masked else p
        return -own * (mean / (np.sqrt(var) + eps) + decay * weights)
    return step


def rmsprop(rate, decay=0.9, eps=1e-8, centered=False, momentum=0.0):
    def step(t, p, g, m):
        m["v"] = decay * m.get("v", 0) + (1 - decay) * g * g
        m["g"] = decay * m.get("g", 0) + (1 - decay) * g
        u = g / np.sqrt(m["v"] - (m["g"] ** 2 if centered else 0) + eps)
        m["u"] = momentum * m.get("u", 0) + u
        return -rate * m["u"]
    return step


def lion(rate, b1=0.9, b2=0.99, decay=1e-3):
    def step(t, p, g, m):
        u = np.sign(b1 * m.get("m", 0) + (1 - b1) * g)
        m["m"] = b2 * m.get("m", 0) + (1 - b2) * g
        return -rate * (u + decay * p)
    return step


def adagrad(rate, initial=0.1, eps=1e-7):
    def step(t, p, g, m):
        m["v"] = m.get("v", initial) + g * g
        return -rate * g / np.sqrt(m["v"] + eps)
    return step


def lbfgs(rate, memory):
    """The inverse Hessian as a matrix, by the update of BFGS from the pairs kept (Nocedal, Wright 2006, equation 7.16)."""
    def step(t, p, g, m):
        pairs = m.setdefault("pairs", [])
        if "p" in m:
            s, y = p - m["p"], g - m["g"]
            if s @ y > 0:
                pairs.append((s, y))
                del pairs[:-memory]
        m["p"], m["g"] = p, g
        n = len(p)
        if pairs:
            s, y = pairs[-1]
            h = np.eye(n) * (s @ y) / (y @ y)
        else:
            h = np.eye(n) * min(1, 1 / np.linalg.norm(g))
        for s, y in pairs:
            rho = 1 / (s @ y)
            v = np.eye(n) - rho * np.outer(y, s)
            h = v.T @ h @ v + rho * np.outer(s, s)
        return -rate * h @ g
    return step


def clipped(kind, limit, inner):
    def step(t, p, g, m):
        if kind == "value":
            g = np.clip(g, -limit, limit)
        elif kind == "global":
            g = g * min(1, limit / np.linalg.norm(g))
        else:
            g = np.concatenate([x * min(1, limit / np.linalg.norm(x)) for x in (g[:3], g[3:])])
        return inner(t, p, g, m)
    return step


def warmup_cosine(step):
    if step < 5:
        return 0.01 + (0.2 - 0.01) * step / 5
    part = min(1, (step - 5) / 10)
    return 0.02 + (0.2 - 0.02) * (1 + np.cos(np.pi * part)) / 2


optimizers = {
    "sgd": run(sgd(0.05)),
    "momentum": run(sgd(0.05, 0.9)),
    "nesterov": run(sgd(0.05, 0.9, True)),
    "adam": run(adam(0.1)),
    "adamOptions": run(adam(0.1, 0.8, 0.95, 1e-4)),
    "adamSchedule": run(adam(warmup_cosine)),
    "adamw": run(adam(0.1, decay=0.05)),
    "adamwMask": run(adam(0.1, decay=0.05, masked=True)),
    "rmsprop": run(rmsprop(0.05)),
    "rmspropCentered": run(rmsprop(0.02, 0.8, 1e-3, True, 0.5)),
    "lion": run(lion(0.03)),
    "adagrad": run(adagrad(0.3)),
    "lbfgs": run(lbfgs(0.5, 3)),
    "clipByValue": run(clipped("value", 0.5, sgd(0.1, 0.9))),
    "clipByNorm": run(clipped("norm", 0.5, sgd(0.1, 0.9))),
    "clipByGlobalNorm": run(clipped("global", 0.5, sgd(0.1, 0.9))),
}

steps = list(range(0, 31))
schedules = {
    "exponentialDecay": [0.5 * 0.8 ** (max(0, s - 3) / 4) for s in steps],
    "staircase": [0.5 * 0.8 ** (max(0, s - 3) // 4) for s in steps],
    "cosineDecay": [0.5 * ((1 - 0.1) * (1 + np.cos(np.pi * min(1, s / 20))) / 2 + 0.1) for s in steps],
    "warmupCosineDecay": [warmup_cosine(s) for s in steps],
    "piecewiseConstant": [0.5 * (0.1 if s >= 7 else 1) * (3 if s >= 15 else 1) for s in steps],
    "polynomialDecay": [(0.5 - 0.05) * (1 - min(1, max(0, s - 2) / 12)) ** 3 + 0.05 for s in steps],
}

logits = rng.standard_normal((4, 5)) * 4
labels = rng.dirichlet(np.ones(5), 4)
labels[0] = [0, 1, 0, 0, 0]
classes = rng.integers(0, 5, 4)
targets = rng.standard_normal((4, 5)) * 3
signs = rng.choice([-1.0, 1.0], (4, 5))
binary = rng.integers(0, 2, (4, 5)).astype(float)
error = logits - targets
norm = np.linalg.norm
losses = {
    "softmaxCrossEntropy": -(labels * log_softmax(logits, 1)).sum(1),
    "softmaxCrossEntropyWithIntegerLabels": logsumexp(logits, 1) - logits[np.arange(4), classes],
    "sigmoidBinaryCrossEntropy": np.logaddexp(0, logits) - binary * logits,
    "squaredError": error**2,
    "huber": np.where(abs(error) <= 1.5, error**2 / 2, 1.5 * (abs(error) - 0.75)),
    "hinge": np.maximum(0, 1 - logits * signs),
    "cosineDistance": 1 - (logits * targets).sum(1) / (norm(logits, axis=1) * norm(targets, axis=1)),
    "klDivergence": rel_entr(labels, np.exp(log_softmax(logits, 1))).sum(1),
}


def f(p):
    a, b = p[:3], p[3:]
    return (C * a**4 / 4).sum() + ((b - T.ravel()) ** 2 / 2).sum() + a.sum() * b.sum() / 10


found = minimize(f, np.concatenate([A0, B0.ravel()]), jac=gradient, method="BFGS", options={"gtol": 1e-12})

with open(os.path.join(HERE, "optim.json"), "w") as file:
    json.dump({
        "optimizers": optimizers,
        "schedules": schedules,
        "logits": logits.tolist(), "labels": labels.tolist(), "classes": classes.tolist(), "targets": targets.tolist(),
        "signs": signs.tolist(), "binary": binary.tolist(),
        "losses": {name: np.asarray(value).tolist() for name, value in losses.items()},
        "minimum": {"params": found.x.tolist(), "value": float(found.fun)},
    }, file, separators=(",", ":"))
    file.write("\n")
