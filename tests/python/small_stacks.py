"""Runs a call on a thread with little stack."""

import gc
import threading


def outcome_in_thread(work, stack=256 * 1024):
    """The result of the call, or its exception.

    The collector is held off, because CPython 3.13 itself runs out of stack when it frees deep values there.
    """
    outcomes = []

    def guarded():
        try:
            outcomes.append(work())
        except BaseException as error:
            outcomes.append(error)

    gc.collect()
    gc.disable()
    previous = threading.stack_size(stack)
    try:
        thread = threading.Thread(target=guarded)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(previous)
        gc.enable()
    return outcomes[0]
