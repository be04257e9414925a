"""Prints PyTorch's operator schemas, one a line.

    python schemas.py registered    # all that this process has, as PyTorch prints them
    python schemas.py declared      # native_functions.yaml: as written, as printed, whether mutable
"""

import pathlib
import re
import sys

import torch


def registered():
    schemas = {str(schema) for schema in torch._C._jit_get_all_schemas()}
    for packet in (getattr(torch.ops.aten, name) for name in dir(torch.ops.aten)):
        if hasattr(packet, "overloads"):
            schemas |= {str(getattr(packet, name)._schema) for name in packet.overloads()}
    return sorted(schemas)


def declared():
    import torchgen

    folder = pathlib.Path(torchgen.__file__).parent
    text = (folder / "packaged/ATen/native/native_functions.yaml").read_text()
    for func in re.findall(r"^- func: (.*)$", text, re.MULTILINE):
        written = "aten::" + func.strip()
        schema = torch._C.parse_schema(written)
        yield f"{written}\t{schema}\t{schema.is_mutable}"


sys.stdout.reconfigure(encoding="utf-8")
for line in {"registered": registered, "declared": declared}[sys.argv[1]]():
    print(line)
