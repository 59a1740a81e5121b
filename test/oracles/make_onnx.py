"""Writes what the tests of nx-numerics/onnx read.

    /usr/bin/python3 test/oracles/make_onnx.py sample     test/onnx/sample.json: small ones of ONNX's own tests (Debian's libonnx-testdata)
    /usr/bin/python3 test/oracles/make_onnx.py torch      test/onnx/torch/: networks exported by PyTorch (Debian's python3-torch 1.13), with
                                                          inputs, outputs and gradients by autograd
    /usr/bin/python3 test/oracles/make_onnx.py example    examples/pytorch.onnx: a network that PyTorch trained, for examples/pytorch.ts

The networks have random weights of a fixed seed. Numbers are base64 of little-endian bytes in JSON.
"""

import base64
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = "/usr/share/libonnx-testdata/data"
MOST = 265_000  # bytes of the sample


def text(path):
    with open(path, "rb") as file:
        return base64.b64encode(file.read()).decode()


def numbered(folder, kind):
    found = [re.fullmatch(kind + r"_(\d+)\.pb", name) for name in os.listdir(folder)]
    return {match.group(1): text(os.path.join(folder, match.group(0))) for match in found if match}


def packed(folder):
    sets = sorted(name for name in os.listdir(folder) if name.startswith("test_data_set_"))
    return {
        "model": text(os.path.join(folder, "model.onnx")),
        "sets": [
            {kind: numbered(os.path.join(folder, name), kind[:-1]) for kind in ("inputs", "outputs")} for name in sets
        ],
    }


def sample():
    """Of the tests that pass the smallest of each two words that names begin with, as far as they fit."""
    with open(os.path.join(HERE, "../onnx/passes.json")) as file:
        passes = json.load(file)["node"]
    best = {}
    for name in passes["defn"] + passes["plain"]:
        folder = os.path.join(DATA, "node", name)
        entry = packed(folder)
        size = len(json.dumps(entry))
        key = tuple(name.split("_")[1:3])
        if key not in best or size < best[key][0]:
            best[key] = (size, name, entry)
    chosen, total = {}, 0
    for size, name, entry in sorted(best.values(), key=lambda item: item[:2]):
        if total + size > MOST:
            break
        chosen[name] = entry
        total += size
    with open(os.path.join(HERE, "../onnx/sample.json"), "w") as file:
        json.dump(dict(sorted(chosen.items())), file, indent=0)
        file.write("\n")
    print(len(chosen), "tests,", total, "bytes")


def torch_models():
    import torch
    from torch import nn

    folder = os.path.join(HERE, "../onnx/torch")
    os.makedirs(folder, exist_ok=True)
    torch.set_num_threads(1)

    class Cnn(nn.Module):
        def __init__(self):
            super().__init__()
            self.features = nn.Sequential(
                nn.Conv2d(3, 8, 3, padding=1),
                nn.BatchNorm2d(8),
                nn.ReLU(),
                nn.MaxPool2d(2),
                nn.Conv2d(8, 16, 3, stride=2, padding=1, groups=2),
                nn.GELU(),
                nn.AdaptiveAvgPool2d(1),
            )
            self.head = nn.Linear(16, 5)

        def forward(self, image):
            return self.head(torch.flatten(self.features(image), 1))

    class Block(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.heads = heads
            self.before, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.join = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x):
            batch, time, width = x.shape
            q, k, v = self.qkv(self.before(x)).view(batch, time, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
            scores = q @ k.transpose(-1, -2) / (width // self.heads) ** 0.5
            mask = torch.tril(torch.ones(time, time, dtype=torch.bool))
            weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
            x = x + self.join((weights @ v).transpose(1, 2).reshape(batch, time, width))
            return x + self.narrow(nn.functional.gelu(self.wide(self.after(x))))

    class Transformer(nn.Module):
        def __init__(self, words=20, width=16, heads=2, longest=12):
            super().__init__()
            self.words, self.places = nn.Embedding(words, width), nn.Embedding(longest, width)
            self.blocks = nn.Sequential(Block(width, heads), Block(width, heads))
            self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words)

        def forward(self, tokens):
            x = self.words(tokens) + self.places(torch.arange(tokens.shape[1]))
            return self.head(self.norm(self.blocks(x)))

    def flat(tensor):
        array = tensor.detach().contiguous().numpy()
        return {"shape": list(array.shape), "type": str(array.dtype), "data": base64.b64encode(array.tobytes()).decode()}

    def export(name, network, examples, axes, others):
        network.eval()
        with torch.no_grad():
            for parameter in network.parameters():  # the exporter merges those that are equal
                parameter.add_(0.05 * torch.randn(parameter.shape))
        given, got = list(axes)
        torch.onnx.export(
            network, examples, os.path.join(folder, name + ".onnx"), input_names=[given], output_names=[got],
            dynamic_axes=axes, opset_version=17, do_constant_folding=False,
        )
        cases = []
        for inputs in [examples, *others]:
            network.zero_grad()
            own = inputs.clone().requires_grad_(inputs.is_floating_point())
            output = network(own)
            loss = (output * output).mean()
            loss.backward()
            gradients = {key: flat(value.grad) for key, value in network.named_parameters()}
            case = {"input": flat(inputs), "output": flat(output), "loss": loss.item(), "gradients": gradients}
            if own.grad is not None:
                case["inputGradient"] = flat(own.grad)
            cases.append(case)
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump({"input": given, "output": got, "cases": cases}, file, indent=0)
            file.write("\n")

    torch.manual_seed(1)
    cnn = Cnn()
    cnn.train()
    for _ in range(3):
        cnn(torch.randn(8, 3, 12, 12))  # gives the batch norm statistics of its own
    export("cnn", cnn, torch.randn(2, 3, 12, 12), {"image": {0: "batch"}, "scores": {0: "batch"}}, [torch.randn(3, 3, 12, 12)])
    tokens = lambda *shape: torch.randint(0, 20, shape)
    export(
        "transformer", Transformer(), tokens(2, 7),
        {"tokens": {0: "batch", 1: "time"}, "scores": {0: "batch", 1: "time"}}, [tokens(1, 11)],
    )


def example():
    """Trained to tell apart bright lines on a dark ground: rows, columns and both diagonals."""
    import torch
    from torch import nn

    torch.set_num_threads(1)
    torch.manual_seed(3)
    at = torch.arange(8)
    row, column = at[:, None], at[None, :]

    def pictures(count):
        kinds, places = torch.randint(0, 4, (count,)), torch.randint(0, 8, (count, 1, 1))
        lines = torch.stack([row + 0 * column, column + 0 * row, (row - column) % 8, (row + column) % 8])[kinds] == places
        return (lines + 0.3 * torch.randn(count, 8, 8))[:, None], kinds

    network = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(256, 4)
    )
    optimizer = torch.optim.Adam(network.parameters(), 3e-3)
    for _ in range(300):
        images, kinds = pictures(128)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(network(images), kinds)
        loss.backward()
        optimizer.step()
    images, kinds = pictures(2000)
    print("accuracy", (network(images).argmax(1) == kinds).float().mean().item())
    torch.onnx.export(
        network, images[:2], os.path.join(HERE, "../../examples/pytorch.onnx"), input_names=["image"], output_names=["scores"],
        dynamic_axes={"image": {0: "picture"}, "scores": {0: "picture"}}, opset_version=17,
    )


{"sample": sample, "torch": torch_models, "example": example}[sys.argv[1]]()
