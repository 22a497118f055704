from typing import Any, TypedDict


class StepEvent(TypedDict):
    """What onceflow calls the step with."""

    # What a provider takes as its idempotency key: the scope and the key.
    idempotencyKey: str
    # 1, and one more each time that the step runs again after a failure.
    attempt: int
    # The input of the workflow, as the source delivered it.
    input: dict[str, Any]


def handler(event: StepEvent, context: object) -> dict[str, Any]:
    order = event["input"]["detail"]
    # Call the payment provider here, and give it event["idempotencyKey"].
    return {"charged": order["amount"], "attempt": event["attempt"]}
