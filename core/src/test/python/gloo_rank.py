"""One rank of a Gloo group that meets at a store: gloo_rank.py RANK WORLD PORT."""

import datetime
import os
import sys

import torch
import torch.distributed as dist

rank, world, port = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
# Somebody else hosts the store, as torchrun's agent would.
os.environ.update(
    MASTER_ADDR="127.0.0.1",
    MASTER_PORT=port,
    RANK=str(rank),
    WORLD_SIZE=str(world),
    TORCHELASTIC_USE_AGENT_STORE="True",
    GLOO_SOCKET_IFNAME="lo",
)
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=30))

x = torch.full((4,), float(rank + 1))
dist.all_reduce(x)
assert x.tolist() == [world * (world + 1) / 2] * 4, x

group = dist.new_group(list(range(world)))
gathered = [None] * world
dist.all_gather_object(gathered, {"rank": rank}, group=group)
assert gathered == [{"rank": r} for r in range(world)], gathered

dist.barrier()
dist.monitored_barrier(timeout=datetime.timedelta(seconds=10))
dist.destroy_process_group()
print("ok")
