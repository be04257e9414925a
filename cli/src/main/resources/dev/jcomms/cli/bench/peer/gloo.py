"""One operation of torch.distributed on gloo, timed by the rules of `jcomms bench`.

Batches until two in a row agree, one batch for the average, samples for the rest, always the
slowest rank's time. Arguments are key=value words; rank 0 prints one line of JSON for each form of
each size. Rank and world come from torchrun's environment.
"""

import json
import math
import sys
import time

import torch
import torch.distributed as dist

ARGS = dict(word.split("=", 1) for word in sys.argv[1:])


def number(key):
    return float(ARGS[key])


def say(**message):
    if dist.get_rank() == 0:
        print(json.dumps(message, separators=(",", ":")), flush=True)


def named(*names):
    """The first of these that this torch has: some were renamed."""
    return next(getattr(dist, name) for name in names if hasattr(dist, name))


def forms(op, count, dtype, root):
    """What to call for each form there is, in place or not: a dict of functions."""
    rank, ranks = dist.get_rank(), dist.get_world_size()
    redop = getattr(dist.ReduceOp, ARGS["redop"].upper())
    one, other = torch.zeros(count, dtype=dtype), torch.zeros(count, dtype=dtype)
    if op == "all_reduce":
        return {True: lambda: dist.all_reduce(one, redop)}
    if op == "broadcast":
        return {True: lambda: dist.broadcast(one, root)}
    if op == "reduce":
        return {True: lambda: dist.reduce(one, root, redop)}
    if op == "barrier":
        return {False: dist.barrier}
    if op == "send_recv":
        def exchange():
            works = dist.batch_isend_irecv([
                dist.P2POp(dist.isend, one, (rank + 1) % ranks),
                dist.P2POp(dist.irecv, other, (rank - 1) % ranks),
            ])
            for work in works:
                work.wait()
        return {False: exchange}
    whole = torch.zeros(count * ranks, dtype=dtype)
    parts = list(whole.chunk(ranks))
    if op == "all_gather":
        gather = named("all_gather_single", "all_gather_into_tensor")
        return {False: lambda: gather(whole, one), True: lambda: gather(whole, parts[rank])}
    if op == "reduce_scatter":
        scatter = named("reduce_scatter_single", "reduce_scatter_tensor")
        return {
            False: lambda: scatter(one, whole, redop),
            True: lambda: scatter(parts[rank], whole, redop),
        }
    if op == "all_to_all":
        to = torch.zeros(count * ranks, dtype=dtype)
        return {False: lambda: dist.all_to_all_single(to, whole)}
    mine = parts if rank == root else None
    own = parts[rank] if rank == root else one
    if op == "gather":
        return {
            False: lambda: dist.gather(one, mine, root),
            True: lambda: dist.gather(own, mine, root),
        }
    if op == "scatter":
        return {
            False: lambda: dist.scatter(one, mine, root),
            True: lambda: dist.scatter(own, mine, root),
        }
    raise ValueError("no operation " + op)


def most(*mine):
    """The largest of all ranks' numbers, position by position."""
    numbers = torch.tensor(mine, dtype=torch.float64)
    dist.all_reduce(numbers, dist.ReduceOp.MAX)
    return numbers.tolist()


def slowest(call, iterations):
    dist.barrier()
    begin = time.perf_counter_ns()
    for _ in range(iterations):
        call()
    return max(most((time.perf_counter_ns() - begin) / 1e3 / iterations)[0], 1e-3)


def samples(call, into, count, group):
    before = time.perf_counter_ns()
    for s in range(count):
        for _ in range(group):
            call()
        now = time.perf_counter_ns()
        into[s] = now - before
        before = now


def clamp(value, low, high):
    return int(min(max(value, low), high))


def warm(call, first):
    if number("warmup") >= 0:
        return slowest(call, max(1, int(number("warmup"))))
    least = number("first_least_us" if first else "least_us")
    enough = number("first_most_us" if first else "most_us")
    batch, limit = number("batch_us"), int(number("most_iterations"))
    spent, before, best, iterations = 0.0, 0.0, math.inf, 1  # nothing agrees with a batch of 0 us
    while True:
        each = slowest(call, iterations)
        spent += min(each * iterations, number("batch_most_us"))
        whole = each * iterations >= batch / 2 or iterations == limit
        agree = abs(each - before) <= number("agreement") * before
        if whole:
            best = min(best, each)
        if spent >= enough or (whole and agree and spent >= least):
            return min(max(best, each / 10), each)
        before = each if whole else 0.0
        if not whole:
            iterations = clamp(min(batch / each, 10 * iterations), iterations + 1, limit)


def percentile(ordered, percent):
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def measure(call, times, first):
    """Average, minimum, median, 99th percentile, iterations of the batch and of a sample."""
    each = warm(call, first)
    fixed, part = int(number("iterations")), number("batch_part")
    least, limit = number("least_iterations"), len(times)
    iterations = fixed if fixed > 0 else clamp(
        number("time_us") * part / each, least, number("most_iterations"))
    average = slowest(call, iterations)
    group = clamp(math.ceil(number("sample_us") / average), 1, number("most_iterations"))
    count = clamp(fixed // group, 1, limit) if fixed > 0 else clamp(
        number("time_us") * (1 - part) / (average * group), least, limit)
    samples(call, times, min(count, 100), group)
    dist.barrier()
    samples(call, times, count, group)
    ordered = sorted(nanos / 1e3 / group for nanos in times[:count])
    low, middle, high = most(ordered[0], percentile(ordered, 50), percentile(ordered, 99))
    return {"avg": average, "min": low, "p50": middle, "p99": high}, iterations, group


def main():
    dist.init_process_group("gloo")
    op, root, width = ARGS["op"], int(ARGS["root"]), int(ARGS["width"])
    dtype = getattr(torch, ARGS["torch_dtype"])
    ranks = dist.get_world_size()
    say(bench="started", ranks=ranks, library="torch " + torch.__version__)
    sections = 1 if op in ("all_reduce", "broadcast", "reduce", "send_recv", "barrier") else ranks
    times = [0] * int(number("most_samples"))
    last, done = -1, False
    for size in ARGS["bytes"].split(","):
        count = 0 if op == "barrier" else max(1, int(size) // (width * sections))
        if count == last:
            continue
        first, last = last < 0, count
        try:
            for in_place, call in sorted(forms(op, count, dtype, root).items()):
                call()
                timing, iterations, group = measure(call, times, first)
                done = True
                say(bench="measured", bytes=count * sections * width, count=count,
                    in_place=in_place, iterations=iterations, group=group, time_us=timing)
        except (RuntimeError, ValueError, StopIteration, AttributeError) as e:
            # A lost rank would fail here again and again; what torch lacks fails the same for all.
            if done:
                raise
            reason = (str(e).strip() or type(e).__name__).splitlines()[0]
            say(bench="note", text="it cannot do this: " + reason)
            break
    dist.destroy_process_group()


main()
