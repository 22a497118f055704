# The program of one execution environment of Python, for `python3 -c`: loads the handler, then takes one event after
# the other, as the Python runtime of Lambda does. It speaks the messages of `worker/messages.ts`.
import importlib, json, logging, os, queue, sys, threading, time, traceback

OPTIONS = json.loads(os.environ.pop("ONCEFLOW_FUNCTION"))
ROOT = os.environ["LAMBDA_TASK_ROOT"]
EVENTS = 3
ANSWERS = os.fdopen(4, "wb")
LOCK = threading.Lock()
current_request_id = None


def post(kind, **members):
    with LOCK:
        ANSWERS.write(json.dumps({"kind": kind, **members}).encode() + b"\n")
        ANSWERS.flush()


class Output:
    """A standard stream whose text comes in order with the answers."""

    encoding = "utf-8"
    errors = "replace"
    closed = False

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self.buffer = os.fdopen(os.dup(descriptor), "wb", 0)

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not " + type(text).__name__)
        if text:
            # More than is taken of it for one invocation.
            post("output", text=text[:1_048_577])
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False

    def writable(self):
        return True

    def fileno(self):
        return self._descriptor


class RequestIdFilter(logging.Filter):
    def filter(self, record):
        record.aws_request_id = current_request_id or ""
        return True


def prepare_logging():
    sys.stdout, sys.stderr = Output(1), Output(2)
    handler = logging.StreamHandler(sys.stdout)
    form = "[%(levelname)s]\t%(asctime)s.%(msecs)03dZ\t%(aws_request_id)s\t%(message)s"
    formatter = logging.Formatter(form, "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    handler.addFilter(RequestIdFilter())
    logging.getLogger().addHandler(handler)


class LoadError(Exception):
    def __init__(self, error_type, message, trace=()):
        super().__init__(message)
        self.error_type, self.trace = error_type, list(trace)


def load_handler(name):
    try:
        module_name, function_name = name.rsplit(".", 1)
    except ValueError as error:
        raise LoadError("Runtime.MalformedHandlerName", f"Bad handler '{name}': {error}")
    try:
        module = importlib.import_module(module_name.replace("/", "."))
    except ImportError as error:
        raise LoadError("Runtime.ImportModuleError", f"Unable to import module '{module_name}': {error}")
    except SyntaxError as error:
        trace = [f'  File "{error.filename}" Line {error.lineno}\n    {(error.text or "").rstrip()}\n']
        raise LoadError("Runtime.UserCodeSyntaxError", f"Syntax error in module '{module_name}': {error}", trace)
    try:
        return getattr(module, function_name)
    except AttributeError:
        message = f"Handler '{function_name}' missing on module '{module_name}'"
        raise LoadError("Runtime.HandlerNotFound", message)


class LambdaContext:
    def __init__(self, message):
        environment = os.environ
        self.aws_request_id = message["requestId"]
        self.function_name = environment["AWS_LAMBDA_FUNCTION_NAME"]
        self.function_version = environment["AWS_LAMBDA_FUNCTION_VERSION"]
        self.memory_limit_in_mb = environment["AWS_LAMBDA_FUNCTION_MEMORY_SIZE"]
        self.log_group_name = environment["AWS_LAMBDA_LOG_GROUP_NAME"]
        self.log_stream_name = environment["AWS_LAMBDA_LOG_STREAM_NAME"]
        self.invoked_function_arn = OPTIONS["arn"]
        self.client_context = None
        self.identity = None
        self._deadline = time.monotonic() + message["timeoutMs"] / 1000

    def get_remaining_time_in_millis(self):
        return max(int((self._deadline - time.monotonic()) * 1000), 0)

    def log(self, text):
        sys.stdout.write(str(text))


def report(error, request_id, own_frames):
    """The text by which the runtime reports an error; the frames of this program are left out of the trace."""
    if isinstance(error, LoadError):
        error_type, trace = error.error_type, error.trace
    else:
        error_type = type(error).__name__
        trace = traceback.format_list(traceback.extract_tb(error.__traceback__)[own_frames:])
    message = str(error)
    lines = [f"[ERROR] {error_type}: {message}"]
    if trace:
        lines += ["Traceback (most recent call last):", *(line.rstrip("\n") for line in trace)]
    sys.stdout.write("\n".join(lines) + "\n")
    shape = {"errorMessage": message, "errorType": error_type, "requestId": request_id, "stackTrace": trace}
    return json.dumps(shape)


def in_json(value):
    """The text of an answer. Bytes are the text itself. What is not JSON is an error here, because no caller reads it."""
    try:
        if isinstance(value, bytes):
            json.loads(value, parse_constant=reject_constant)
            return value.decode()
        return json.dumps(value, allow_nan=False, default=decimal_text)
    except Exception as error:
        raise LoadError("Runtime.MarshalError", f"Unable to marshal response: {error}")


def reject_constant(text):
    raise ValueError(f"Out of range float values are not JSON compliant: {text}")


def decimal_text(value):
    from decimal import Decimal

    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def invoke(handler, message):
    global current_request_id
    request_id = current_request_id = message["requestId"]
    os.environ["_X_AMZN_TRACE_ID"] = message["traceHeader"]
    post("started", requestId=request_id)
    try:
        kind, payload = "answered", in_json(handler(json.loads(message["eventText"]), LambdaContext(message)))
    except Exception as error:
        kind, payload = "failed", report(error, request_id, 1)
    if len(payload) > OPTIONS["responseBytesMax"]:
        post("responseTooLarge", requestId=request_id)
    else:
        post(kind, requestId=request_id, payloadText=payload)


def read_events(events):
    # Without a buffered reader: one that a thread waits in cannot be closed when the interpreter ends.
    begun = []
    while True:
        data = os.read(EVENTS, 65536)
        if not data:
            # Who sends the events is gone.
            os._exit(0)
        first, *others = data.split(b"\n")
        begun.append(first)
        for other in others:
            events.put(json.loads(b"".join(begun)))
            begun = [other]


def main():
    prepare_logging()
    sys.path[:] = [ROOT, *(path for path in sys.path if path)]
    try:
        handler = load_handler(os.environ["_HANDLER"])
    except Exception as error:
        post("loadFailed", payloadText=report(error, "", 2))
        return
    events = queue.Queue()
    threading.Thread(target=read_events, args=(events,), daemon=True).start()
    post("loaded")
    while True:
        invoke(handler, events.get())


main()
