"""Writes what PyTorch prints, converts and views, for the tests that read these files.

    python golden.py FOLDER [SEED [CASES]]     # the committed files: seed 0, 144 cases, torch 2.13

A case of printed.txt is `case DTYPE SIZES`, then its elements: `bytes HEX` (little-endian) or
`formula SCALE`, where element i is (i * 37 % 1009 - 500) * SCALE in f64, converted; a `reversed`
line if all dimensions are permuted into reverse order before printing; then the text, each line
after a `|`. A line of converted.txt is `SOURCE TARGET HEX HEX`: elements before and after `.to()`.
A line of viewed.txt is `SIZES STRIDES NEW-SIZES NEW-STRIDES`, the last `none` where view() refuses.
"""

import math
import pathlib
import random
import sys

import torch

DTYPES = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
    "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8,
    "u8": torch.uint8, "bool": torch.bool, "f8e4m3": torch.float8_e4m3fn,
    "f8e5m2": torch.float8_e5m2,
}
FLOATS = {name for name, dtype in DTYPES.items() if dtype.is_floating_point}


def raw(t):
    return bytes(t.contiguous().reshape(-1).view(torch.uint8).tolist()).hex()


def shape_of(rng):
    dims = rng.choice([0, 1, 1, 1, 2, 2, 2, 3, 4])
    most = {0: 1, 1: 30, 2: 12, 3: 5, 4: 3}[dims]
    return [rng.choice([0, 1, 2, most]) if rng.random() < 0.15 else rng.randint(1, most) for _ in range(dims)]


def floats(rng, n):
    kind = rng.choice(["normal", "whole", "wide", "tiny", "huge", "ties", "plain", "special"])
    scale = 10.0 ** rng.randint(-3, 3)
    make = {
        "normal": lambda: rng.gauss(0, scale),
        "whole": lambda: float(rng.randint(-20, 20)),
        "wide": lambda: rng.choice([-1, 1]) * 10.0 ** rng.uniform(-6, 9),
        "tiny": lambda: rng.uniform(-1, 1) * 1e-5,
        "huge": lambda: float(rng.randint(-10, 10)) * 10.0 ** rng.randint(7, 20),
        "ties": lambda: rng.randint(-64, 64) / 32.0 + rng.choice([0, 0.03125, 0.00005, 0.0009765625]),
        "plain": lambda: rng.uniform(0, 1),
        "special": lambda: rng.choice([0.0, -0.0, 1.5, -2.0, math.nan, math.inf, -math.inf]),
    }[kind]
    values = [make() for _ in range(n)]
    if rng.random() < 0.2:
        values = [rng.choice([math.nan, math.inf, -math.inf, -0.0]) if rng.random() < 0.1 else v for v in values]
    return values


def integers(rng, n, name):
    if name == "bool":
        return [rng.random() < 0.5 for _ in range(n)]
    info = torch.iinfo(DTYPES[name])
    top = rng.choice([10, 100, 10**6, info.max])
    return [rng.randint(max(info.min, -top - (top == info.max)), min(info.max, top)) for _ in range(n)]


def printed(rng, cases):
    for i in range(cases):
        name = list(DTYPES)[i % len(DTYPES)]
        dtype = DTYPES[name]
        lines = []
        if rng.random() < 0.15:
            shape = rng.choice([[1001], [5000], [40, 26], [3, 400], [400, 3], [7, 8, 20], [2, 3, 4, 50], [8, 8, 8, 8]])
            scale = rng.choice([1.0, 0.25, 1e-6, 3.7]) if name in FLOATS else 1.0
            elements = math.prod(shape)
            values = [(i * 37 % 1009 - 500) * scale for i in range(elements)]
            t = torch.tensor(values, dtype=torch.float64).to(dtype).reshape(shape)
            lines.append(f"formula {scale}")
        else:
            shape = shape_of(rng)
            elements = math.prod(shape)
            values = floats(rng, elements) if name in FLOATS else integers(rng, elements, name)
            if name in FLOATS:
                t = torch.tensor(values, dtype=torch.float64).to(dtype).reshape(shape)
            else:
                t = torch.tensor(values, dtype=dtype).reshape(shape)
            lines.append(f"bytes {raw(t)}")
        if len(shape) > 1 and rng.random() < 0.25:
            lines.append("reversed")
            t = t.permute(*reversed(range(len(shape))))
        yield f"case {name} {','.join(map(str, shape))}"
        yield from lines
        yield from ("|" + line for line in str(t).split("\n"))


def converted(rng):
    special = [0.0, -0.0, math.nan, math.inf, -math.inf, 448.0, 464.0, 465.0, 480.0, 1e6, 57344.0, 61439.0, 61440.0,
               65504.0, 65519.0, 65520.0, 3.3895e38, 3.4e38, 1e300, 2.0**-10, 2.0**-9 * 1.5, 2.0**-16, 2.0**-17,
               2.0**-24, 2.0**-25, 2.0**-133, 1e-40, 5e-324, 1 + 2.0**-8, 1 + 3 * 2.0**-8]
    for source in DTYPES:
        for target in DTYPES:
            if source in FLOATS and target in FLOATS | {"bool"}:
                values = special + [rng.gauss(0, 10.0 ** rng.randint(-4, 4)) for _ in range(20)]
            elif source in FLOATS:  # what does not fit the integer is undefined, so it is left out
                low, high = (0, 255) if target == "u8" else (-127, 127)
                values = [rng.uniform(low, high) for _ in range(20)] + [0.99, -0.0, 1.5, 2.5]
            elif source == "bool":
                values = [0, 1, 1, 0, 1]
            else:
                info = torch.iinfo(DTYPES[source])
                values = [0, 1, info.max, info.min] + [rng.randint(info.min, info.max) for _ in range(20)]
                values += [v for v in (2**53 + 1, 2**24 + 1, -1, 128, 300, 2**31) if info.min <= v <= info.max]
            carrier = torch.float64 if source in FLOATS else torch.int64
            t = torch.tensor(values, dtype=carrier).to(DTYPES[source])
            yield f"{source} {target} {raw(t)} {raw(t.to(DTYPES[target]))}"


def viewed(rng, cases=160):
    while cases > 0:
        base = torch.empty([rng.randint(1, 4) for _ in range(rng.randint(1, 4))])
        if rng.random() < 0.5:
            base = base.permute(*rng.sample(range(base.dim()), base.dim()))
        if rng.random() < 0.4:
            base = base[..., :: rng.randint(1, 2)]
        if rng.random() < 0.3:
            base = base.unsqueeze(rng.randint(0, base.dim()))
        if rng.random() < 0.3:
            base = base.unsqueeze(0).expand(2, *base.shape)
        left, sizes = base.numel(), []
        while left > 1 or rng.random() < 0.3:
            sizes.append(rng.choice([d for d in range(1, left + 1) if left % d == 0]))
            left //= sizes[-1]
        if not sizes:
            continue
        try:
            strides = ",".join(map(str, base.view(sizes).stride()))
        except RuntimeError:
            strides = "none"
        yield " ".join([",".join(map(str, v)) for v in (base.shape, base.stride(), sizes)] + [strides])
        cases -= 1


def main(folder, seed=0, cases=144):
    rng = random.Random(int(seed))
    files = (("printed.txt", printed(rng, int(cases))), ("converted.txt", converted(rng)), ("viewed.txt", viewed(rng)))
    for name, lines in files:
        pathlib.Path(folder, name).write_text("\n".join(lines) + "\n")


main(*sys.argv[1:])
