#!/usr/bin/env python3
"""Makes clients of thrumd by generators of others, and has them checked: TypeScript by tsc, Python by mypy. Prints a line for each claim,
PASS or FAIL. The packages of requirements.txt are in PYTHONPATH.

    generate.py FOLDER DOCUMENT...    DOCUMENT: what rpc.discover answers, called after its piece, such as direct.json
"""
import copy
import json
import os
import subprocess
import sys
from pathlib import Path

from openrpc import OpenRPC
from openrpcclientgenerator import Language, generate

# What the generated TypeScript imports of packages that are not there.
PACKAGES = """
declare module "axios" { export type AxiosRequestHeaders = { [name: string]: string } }
declare module "jsonrpc2-tsclient" {
    export class RPCWebSocketClient { constructor(url: string); url: string; headers: object; connect(): void; close(): void }
    export function rpcClient(transport: RPCWebSocketClient, prefix: string, skip: string[], names: object): (target: Function) => void
}
"""
TYPESCRIPT = {
    # The generator leaves its classes' properties to the constructor of another.
    "strict": True, "strictPropertyInitialization": False, "experimentalDecorators": True, "noEmit": True,
    "target": "es2020", "lib": ["es2020"], "module": "es2020", "moduleResolution": "node", "types": [],
}
# A list and what is played stand side by side, and what is answered has a type of its own.
USE = """
import { ThrumClient } from "./client.js"
import { Chimes, Receipt } from "./models.js"

const client = new ThrumClient("")
export const names: Promise<Chimes> = client.chime.list()
export const receipt: Promise<Receipt> = client.chime.play("unlock", 0, 0)
"""
# The generator's methods have no body, and a default of no type.
PYTHON = ["--ignore-missing-imports", "--disable-error-code=empty-body", "--disable-error-code=assignment"]

failures = 0


def claim(holds, what, why=""):
    global failures
    failures += not holds
    print("PASS" if holds else "FAIL", what, "" if holds else why, flush=True)


def run(*words):
    finished = subprocess.run(words, capture_output=True, text=True)
    return finished.returncode == 0, (finished.stdout + finished.stderr)[-2000:]


def client(document, language, folder):
    """The folder of a client that the generator of OpenRPC documents makes. Raises where it makes none."""
    folder.mkdir(parents=True)
    name = generate(OpenRPC.model_validate(document), language, "ws://127.0.0.1:7400/socket", folder)
    return folder / ("typescript" if language is Language.TYPESCRIPT else "python") / name


def typescript(document, folder):
    made = client(document, Language.TYPESCRIPT, folder)
    (made / "src" / "packages.d.ts").write_text(PACKAGES)
    (made / "src" / "use.ts").write_text(USE)
    (made / "tsconfig.json").write_text(json.dumps({"compilerOptions": TYPESCRIPT, "include": ["src/*"]}))
    return run("tsc", "-p", str(made))


def python(document, folder):
    try:
        made = client(document, Language.PYTHON, folder)
    except Exception as problem:  # Its formatter finds what is no Python.
        return False, str(problem)
    return run(sys.executable, "-m", "mypy", *PYTHON, str(made / "thrum_ws_client"))


def types(document, folder):
    """Types of the document's schemas alone, which another generator makes."""
    def moved(part):
        if isinstance(part, dict):
            return {key: value.replace("#/components/schemas/", "#/$defs/") if key == "$ref" else moved(value) for key, value in part.items()}
        return [moved(each) for each in part] if isinstance(part, list) else part

    folder.mkdir(parents=True)
    schema = folder / "schema.json"
    schema.write_text(json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": moved(document["components"]["schemas"])}))
    made, why = run(sys.executable, "-m", "datamodel_code_generator", "--input", str(schema), "--input-file-type", "jsonschema",
                    "--output-model-type", "typing.TypedDict", "--target-python-version", "3.11", "--output", str(folder / "types.py"))
    if not made:
        return made, why
    (folder / "use.py").write_text('from types_of import Chimes, Receipt\n\nnames: Chimes = {"names": ["unlock"]}\nreceipt: Receipt = {}\n'
                                   'receipt["frame"] = 480\n')
    os.rename(folder / "types.py", folder / "types_of.py")
    return run(sys.executable, "-m", "mypy", "--strict", str(folder / "types_of.py"), str(folder / "use.py"))


folder = Path(sys.argv[1])
os.environ["MYPY_CACHE_DIR"] = str(folder / "cache")
os.environ["MYPYPATH"] = ""
for path in map(Path, sys.argv[2:]):
    document = json.loads(path.read_text())
    for check in (typescript, python, types):
        holds, why = check(document, folder / path.stem / check.__name__)
        claim(holds, f"{path.stem}: {check.__name__}", why)

# As it was before: the check must notice.
document = json.loads(Path(sys.argv[2]).read_text())
former = copy.deepcopy(document)
next(method for method in former["methods"] if method["name"] == "chime.play")["name"] = "chime"
claim(not typescript(former, folder / "former" / "typescript")[0], "a method that is also the first part of others is noticed")
former = copy.deepcopy(document)
next(method for method in former["methods"] if method["name"] == "tap")["params"][-1]["name"] = "in"
claim(not python(former, folder / "former" / "python")[0], "a parameter that is a word of Python is noticed")
sys.exit(failures > 0)
