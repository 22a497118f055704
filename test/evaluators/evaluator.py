"""Evaluates JSONata with jsonata-python, as Evaluator.java does with com.dashjoin:jsonata: the same lines in and out."""

import hashlib
import json
import sys

from jsonata import Jsonata
from jsonata.utils import Utils

sys.setrecursionlimit(20000)


def answers_to(request):
    try:
        # In an object, null is told from nothing.
        compiled = Jsonata("{'value': (" + request["expression"] + ")}")
    except Exception as problem:
        return [failed(problem) for _ in request["scopes"]]
    return [answer(compiled, request["functions"], scope) for scope in request["scopes"]]


def answer(compiled, constants, scope):
    try:
        frame = compiled.create_frame()
        for name, value in scope.items():
            frame.bind(name, value)
        for name, value in constants.items():
            frame.bind(name, Jsonata.JLambda(lambda value=value: value))
        frame.bind("hash", Jsonata.JLambda(hashed))
        frame.bind("parse", Jsonata.JLambda(json.loads))
        return plain(compiled.evaluate(None, frame))
    except Exception as problem:
        return failed(problem)


def failed(problem):
    return {"error": repr(problem)[:200]}


def hashed(text, _algorithm):
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def plain(value):
    if value is Utils.NULL_VALUE:
        return None
    if isinstance(value, dict):
        return {str(name): plain(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if isinstance(value, (str, int, float, bool)) or value is None else repr(value)


for line in sys.stdin:
    print(json.dumps(answers_to(json.loads(line))))
