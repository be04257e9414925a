"""Hosts PyTorch's TCPStore: tcp_server.py libuv|legacy. Prints its port; ends when its input does."""

import sys

import torch.distributed as dist

store = dist.TCPStore(
    "127.0.0.1", 0, None, True, wait_for_workers=False, use_libuv=sys.argv[1] == "libuv"
)
store.set("from python", "hello")
print(store.port, flush=True)
for line in sys.stdin:
    # "set KEY VALUE" or "get KEY": done by the server's own client.
    words = line.split()
    if words[0] == "set":
        store.set(words[1], words[2])
        print("done", flush=True)
    else:
        print(store.get(words[1]).decode(), flush=True)
