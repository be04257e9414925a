"""Runs cases of operators, one JSON object a line, in PyTorch; writes one line a case.

usage: operators.py CASES RESULTS
"""

import json
import sys
import warnings

import torch

warnings.filterwarnings("ignore")
torch.manual_seed(1)

DTYPES = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
    "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8,
    "u8": torch.uint8, "bool": torch.bool,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


def make(argument):
    if isinstance(argument, dict):
        if "dtype" in argument:
            return DTYPES[argument["dtype"]]
        if "list" in argument:
            return [make(a) for a in argument["list"]]
        base = torch.tensor(argument["base"], dtype=torch.float64).to(DTYPES[argument["tensor"]])
        return base.as_strided(argument["sizes"], argument["strides"], argument["offset"])
    return argument


def flat(result):
    if isinstance(result, (list, tuple)):
        return [r for item in result for r in flat(item)]
    return [result]


def number(value):
    value = float(value)
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def text(value):
    if value is None:
        return "none"
    if not isinstance(value, torch.Tensor):
        return "number " + number(value)
    value = value.detach()
    if value._is_zerotensor():
        value = value.clone()
    dtype = NAMES.get(value.dtype, str(value.dtype))
    sizes = ",".join(map(str, value.shape))
    if value.dtype.is_floating_point:
        values = [number(v) for v in value.double().flatten().tolist()]
    else:
        values = [str(int(v)) for v in value.flatten().tolist()]
    return f"tensor {dtype} [{sizes}] {','.join(values)}"


def cotangent(result):
    n = result.numel()
    values = ((torch.arange(n, dtype=torch.float64) * 7) % 11 - 5) / 4
    return values.reshape(result.shape).to(result.dtype)


def gradients(call, arguments):
    inputs = [a for a in arguments if isinstance(a, torch.Tensor) and a.is_floating_point()]
    inputs += [t for a in arguments if isinstance(a, list) for t in a
               if isinstance(t, torch.Tensor) and t.is_floating_point()]
    inputs = [t.requires_grad_() for t in inputs]
    outputs = [r for r in flat(call()) if isinstance(r, torch.Tensor) and r.requires_grad]
    if not outputs:
        return []
    return list(torch.autograd.grad(
        outputs, inputs, [cotangent(o) for o in outputs], allow_unused=True))


def run(case):
    packet = getattr(torch.ops.aten, case["name"])
    op = getattr(packet, case["overload"] or "default")
    arguments = [make(a) for a in case["arguments"]]
    names = [a.name for a in op._schema.arguments]
    keyword = {a.name for a in op._schema.arguments if a.kwarg_only}
    positional = [a for n, a in zip(names, arguments) if n not in keyword]
    keywords = {n: a for n, a in zip(names, arguments) if n in keyword}
    call = lambda: op(*positional, **keywords)
    if case["form"] == "GRADIENTS":
        return gradients(call, arguments)
    results = flat(call())
    written = [arguments[i] for i in case["written"]]
    return results + flat(written)


def main():
    with open(sys.argv[1]) as cases, open(sys.argv[2], "w") as results:
        for line in cases:
            case = json.loads(line)
            try:
                answer = "values\t" + "\t".join(text(r) for r in run(case))
            except AttributeError as e:
                answer = "missing\t" + str(e).split("\n")[0]
            except Exception as e:
                answer = "error\t" + type(e).__name__ + ": " + str(e).split("\n")[0]
            results.write(answer.replace("\r", " ") + "\n")


main()
