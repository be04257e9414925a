"""Shares a FileStore: file_store.py PATH WORLD ADDS. Meets the others, adds, and leaves."""

import datetime
import sys

import torch.distributed as dist

path, world, adds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
store = dist.FileStore(path, world)
store.set_timeout(datetime.timedelta(seconds=20))

store.set("from python", "hello")
assert store.get("from java") == b"hallo"
assert store.compare_set("c", "java", "python") == b"python"
store.add("ready", 1)
store.wait(["go"])
for _ in range(adds):
    store.add("n", 1)
store.set("gone", "1")
store.delete_key("gone")
store.add("finished", 1)
store.wait(["bye"])
print("ok")
