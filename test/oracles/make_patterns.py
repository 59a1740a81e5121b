"""Sums of products by numpy.einsum, and layouts as einops documents them, written as reshapes. Writes patterns.json.

Operands hold the whole numbers 1, 2, 3, ... in row-major order, modulo 7."""

import json
from pathlib import Path

import numpy as np


def made(shape):
    return ((np.arange(int(np.prod(shape))) % 7) + 1).reshape(shape).astype(np.float64)


EINSUMS = [
    ("i->", [[5]]),
    ("i->i", [[5]]),
    ("ij->ji", [[2, 3]]),
    ("ij->j", [[2, 3]]),
    ("ii->", [[4, 4]]),
    ("ii->i", [[4, 4]]),
    ("iij->ji", [[3, 3, 2]]),
    ("iji->j", [[3, 2, 3]]),
    ("iii->i", [[3, 3, 3]]),
    ("iijj->ij", [[2, 2, 3, 3]]),
    ("i,i->", [[4], [4]]),
    ("i,i->i", [[4], [4]]),
    ("i,j->ij", [[4], [3]]),
    ("i,j->ji", [[4], [3]]),
    ("ij,jk->ik", [[2, 3], [3, 4]]),
    ("ij,jk->ki", [[2, 3], [3, 4]]),
    ("ij,kj->ik", [[2, 3], [4, 3]]),
    ("ji,jk->ik", [[3, 2], [3, 4]]),
    ("ij,jk->", [[2, 3], [3, 4]]),
    ("ij,jk->k", [[2, 3], [3, 4]]),
    ("ij,ij->i", [[2, 3], [2, 3]]),
    ("bij,bjk->bik", [[2, 3, 4], [2, 4, 5]]),
    ("bij,bjk->ikb", [[2, 3, 4], [2, 4, 5]]),
    ("ibj,jkb->bik", [[3, 2, 4], [4, 5, 2]]),
    ("ijk,jkl->il", [[2, 3, 4], [3, 4, 5]]),
    ("ijk,kjl->li", [[2, 3, 4], [4, 3, 5]]),
    ("ij,jk,kl->il", [[2, 3], [3, 4], [4, 5]]),
    ("ij,ik,il->jkl", [[2, 3], [2, 4], [2, 5]]),
    ("i,ij,j->", [[3], [3, 4], [4]]),
    ("ab,bc,cd,de->ae", [[2, 6], [6, 3], [3, 5], [5, 2]]),
    ("a,b,c->cab", [[2], [3], [4]]),
    (",ij->ij", [[], [2, 3]]),
    ("...ij,...jk->...ik", [[2, 3, 4], [2, 4, 5]]),
    ("...ij,...jk->...ik", [[6, 2, 3, 4], [2, 4, 5]]),
    ("...ij,...jk->...ik", [[2, 1, 3, 4], [5, 4, 3]]),
    ("...i->...", [[2, 3, 4]]),
    ("i...->...i", [[2, 3, 4]]),
    ("...ii->...i", [[2, 3, 3]]),
    ("ij,ij->ij", [[1, 3], [2, 3]]),
    ("ij,jk->ik", [[2, 1], [3, 4]]),
    ("bij,bjk->bik", [[1, 3, 4], [2, 4, 5]]),
    ("i,ij->j", [[1], [3, 2]]),
]

# pattern, shape, sizes, cut, reduced or new axes, order, result: what einops does, step by step
LAYOUTS = [
    ("rearrange", "b h w c -> b h w c", [2, 3, 4, 5], {}, lambda x: x),
    ("rearrange", "b h w c -> (b h) w c", [2, 3, 4, 5], {}, lambda x: x.reshape(6, 4, 5)),
    ("rearrange", "b h w c -> h (b w) c", [2, 3, 4, 5], {}, lambda x: x.transpose(1, 0, 2, 3).reshape(3, 8, 5)),
    ("rearrange", "b h w c -> b (c h w)", [2, 3, 4, 5], {}, lambda x: x.transpose(0, 3, 1, 2).reshape(2, 60)),
    (
        "rearrange",
        "b (h h1) (w w1) c -> (b h1 w1) h w c",
        [2, 6, 4, 3],
        {"h1": 2, "w1": 2},
        lambda x: x.reshape(2, 3, 2, 2, 2, 3).transpose(0, 2, 4, 1, 3, 5).reshape(8, 3, 2, 3),
    ),
    (
        "rearrange",
        "b (h h1) (w w1) c -> b h w (c h1 w1)",
        [2, 6, 4, 3],
        {"h1": 2, "w1": 2},
        lambda x: x.reshape(2, 3, 2, 2, 2, 3).transpose(0, 1, 3, 5, 2, 4).reshape(2, 3, 2, 12),
    ),
    ("rearrange", "a 1 b -> b a", [2, 1, 3], {}, lambda x: x.reshape(2, 3).T),
    ("rearrange", "a b -> 1 b () a", [2, 3], {}, lambda x: x.T.reshape(1, 3, 1, 2)),
    ("rearrange", "a b ... -> ... (b a)", [2, 3, 4, 5], {}, lambda x: x.transpose(2, 3, 1, 0).reshape(4, 5, 6)),
    ("rearrange", "... -> (...)", [2, 3, 4], {}, lambda x: x.reshape(24)),
    ("rearrange", "a ... -> (a ...)", [2, 3, 4], {}, lambda x: x.reshape(24)),
    ("rearrange", "a ... b -> b ... a", [2, 3, 4, 5], {}, lambda x: x.transpose(3, 1, 2, 0)),
    ("reduce:mean", "t b c -> b c", [3, 2, 4], {}, lambda x: x.mean(0)),
    ("reduce:max", "b c (h 2) (w 2) -> b c h w", [2, 3, 4, 6], {}, lambda x: x.reshape(2, 3, 2, 2, 3, 2).max((3, 5))),
    (
        "reduce:sum",
        "b c (h h2) (w w2) -> b h w c",
        [2, 3, 4, 6],
        {"h2": 2, "w2": 3},
        lambda x: x.reshape(2, 3, 2, 2, 2, 3).sum((3, 5)).transpose(0, 2, 3, 1),
    ),
    ("reduce:min", "b c h w -> b c 1 1", [2, 3, 4, 5], {}, lambda x: x.min((2, 3), keepdims=True)),
    ("reduce:prod", "... c -> ...", [2, 3, 4], {}, lambda x: x.prod(-1)),
    ("reduce:sum", "a b ->", [2, 3], {}, lambda x: x.sum()),
    ("repeat", "h w -> h w c", [2, 3], {"c": 3}, lambda x: np.repeat(x[:, :, None], 3, 2)),
    ("repeat", "h w -> (r h) w", [2, 3], {"r": 2}, lambda x: np.tile(x, (2, 1))),
    ("repeat", "h w -> h (w r)", [2, 3], {"r": 2}, lambda x: np.repeat(x, 2, 1)),
    (
        "repeat",
        "h w -> (h h2) (w w2)",
        [2, 3],
        {"h2": 2, "w2": 3},
        lambda x: np.repeat(np.repeat(x, 2, 0), 3, 1),
    ),
    ("repeat", "h w -> 2 w h", [2, 3], {}, lambda x: np.stack([x.T, x.T])),
    ("repeat", "... -> ... 3", [2, 3], {}, lambda x: np.repeat(x[..., None], 3, -1)),
]


def main():
    einsums = []
    for pattern, shapes in EINSUMS:
        result = np.einsum(pattern, *[made(shape) for shape in shapes])
        einsums.append({"pattern": pattern, "shapes": shapes, "shape": list(result.shape), "values": result.ravel().tolist()})
    layouts = []
    for how, pattern, shape, sizes, of in LAYOUTS:
        result = np.asarray(of(made(shape)))
        layouts.append(
            {
                "how": how,
                "pattern": pattern,
                "of": shape,
                "sizes": sizes,
                "shape": list(result.shape),
                "values": result.ravel().tolist(),
            }
        )
    lines = [",\n".join(json.dumps(case) for case in cases) for cases in (einsums, layouts)]
    text = '{ "einsums": [\n%s\n], "layouts": [\n%s\n] }\n' % tuple(lines)
    Path(__file__).with_name("patterns.json").write_text(text.replace(".0,", ",").replace(".0]", "]"))


main()
