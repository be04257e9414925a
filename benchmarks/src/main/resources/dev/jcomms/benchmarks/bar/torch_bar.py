"""The cases of Bar in PyTorch: reads "NAME SECONDS" lines, answers nanoseconds of one call."""
import statistics
import sys
import time

import torch

torch.set_num_threads(1)


def operators():
    a16, b16 = torch.randn(16), torch.randn(16)
    a, b = torch.randn(1 << 20), torch.randn(1 << 20)
    m, n = torch.randn(512, 512), torch.randn(512, 512)
    return {
        "add_16": lambda: torch.add(a16, b16),
        "matmul_512": lambda: torch.mm(m, n),
        "add_1m": lambda: torch.add(a, b),
        "mul_1m": lambda: torch.mul(a, b),
        "exp_1m": lambda: torch.exp(a),
        "sum_1m": lambda: torch.sum(a),
    }


def mlp_step():
    model = torch.nn.Sequential(
        torch.nn.Linear(784, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10)
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x = torch.randn(128, 784)
    y = torch.arange(128) % 10

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()

    return step


def nanos(body, seconds):
    def timed(calls):
        start = time.perf_counter_ns()
        for _ in range(calls):
            body()
        return time.perf_counter_ns() - start

    calls = 1
    while timed(calls) < seconds * 1e9 / 50:
        calls *= 2
    return statistics.median(timed(calls) / calls for _ in range(15))


cases = operators() | {"mlp_step": mlp_step()}
print("PyTorch", torch.__version__, "threads", torch.get_num_threads(), flush=True)
for line in sys.stdin:
    name, seconds = line.split()
    print(nanos(cases[name], float(seconds)), flush=True)
