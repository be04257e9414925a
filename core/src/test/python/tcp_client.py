"""PyTorch's TCPStore client against a server: tcp_client.py PORT. Exits 0 if every result is as with its own server."""

import datetime
import sys
import threading

import torch.distributed as dist

port = int(sys.argv[1])


def connect(timeout=10.0):
    return dist.TCPStore(
        "127.0.0.1", port, None, False, datetime.timedelta(seconds=timeout), wait_for_workers=False
    )


def same(got, wanted):
    assert got == wanted, f"got {got!r}, wanted {wanted!r}"


def raises(call):
    try:
        call()
    except Exception:
        return
    raise AssertionError("expected an exception")


store = connect()
other = connect()

store.set("k", "v")
same(store.get("k"), b"v")
same(other.get("k"), b"v")
store.set("empty", "")
same(store.get("empty"), b"")
store.set("big", "x" * (8 << 20))
same(len(other.get("big")), 8 << 20)

same(store.add("n", 5), 5)
same(other.add("n", -7), -2)
same(store.get("n"), b"-2")

same(store.compare_set("c", "exp", "des"), b"exp")
same(store.check(["c"]), False)
same(store.compare_set("c", "", "a"), b"a")
same(store.compare_set("c", "x", "b"), b"a")
same(store.compare_set("c", "a", "b"), b"b")

same(store.check(["k", "n"]), True)
same(store.check(["k", "none"]), False)
same(store.delete_key("k"), True)
same(store.delete_key("k"), False)

store.append("a", "x")
store.append("a", "yz")
same(store.get("a"), b"xyz")
store.multi_set(["m1", "m2"], ["1", "22"])
same(store.multi_get(["m2", "m1"]), [b"22", b"1"])

same(sorted(store.list_keys()), ["a", "big", "c", "empty", "m1", "m2", "n"])
same(store.num_keys(), 7)

store.queue_push("q", "1")
store.queue_push("q", "2")
same(store.queue_len("q"), 2)
same(store.queue_pop("q"), b"1")
same(store.queue_pop("q", False), b"2")
raises(lambda: store.queue_pop("q", False))

raises(lambda: store.wait(["none"], datetime.timedelta(milliseconds=100)))
same(store.add("n", 1), -1)

store.barrier("alone", 1)
results = []
threads = [
    threading.Thread(target=lambda s=connect(): (s.barrier("all", 3), results.append(1)))
    for _ in range(3)
]
threads += [
    threading.Thread(target=lambda s=connect(): results.append(s.get("late"))),
    threading.Thread(target=lambda s=connect(): results.append(s.queue_pop("lateq"))),
]
for thread in threads:
    thread.start()
store.set("late", "L")
store.queue_push("lateq", "Q")
for thread in threads:
    thread.join(20)
    assert not thread.is_alive(), "a waiter was not woken"
same(sorted(map(str, results)), ["1", "1", "1", "b'L'", "b'Q'"])

clone = store.clone()
same(clone.get("m1"), b"1")
prefixed = dist.PrefixStore("inner", dist.PrefixStore("outer", store))
prefixed.set("k", "p")
same(store.get("outer/inner/k"), b"p")
same(sorted(prefixed.list_keys()), ["k"])

# What the Java side looks at afterwards.
store.set("from python", "\u00fc")
print("ok")
