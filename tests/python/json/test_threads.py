"""Many threads that use the same Encoder and Decoder, or the same objects."""

import threading


def test_threads(api):
    decoder, encoder = api.Decoder(float_hook=float), api.Encoder(enc_hook=repr, order="sorted")
    values = [
        [{"id": at, "key": f"text {at} {i}", "x": [i / 2]} for i in range(20)] for at in range(8)
    ]
    failures = []

    def run(value):
        for _ in range(200 if api.is_compiled else 20):
            data = encoder.encode(value)
            if decoder.decode(data) != value or api.decode(api.encode(value)) != value:
                failures.append(value)
            try:
                decoder.decode(data[:-1])
            except api.DecodeError as error:
                if error.offset != len(data) - 1:
                    failures.append(error)

    threads = [threading.Thread(target=run, args=(value,)) for value in values]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_threads_that_share_what_they_encode(api):
    shared = {"list": list(range(100)), "dict": {str(at): at for at in range(100)}}
    stop = threading.Event()

    def change():
        at = 0
        while not stop.is_set():
            at += 1
            shared["list"].append(at)
            del shared["list"][0]
            shared["dict"][f"new {at}"] = at
            shared["dict"].pop(f"new {at - 5}", None)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(2000 if api.is_compiled else 100):
            try:
                assert isinstance(api.decode(api.encode(shared)), dict)
            except RuntimeError as error:
                assert "changed size during iteration" in str(error)
    finally:
        stop.set()
        thread.join()
