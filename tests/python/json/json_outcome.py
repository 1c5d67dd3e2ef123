"""What reading a JSON text does, in a form that can be compared."""

import slow_reader


def decoding(decode, text, **options):
    """("value", object), or ("error", text, offset, path)."""
    try:
        return ("value", decode(text, **options))
    except ValueError as error:
        return (
            "error",
            str(error),
            getattr(error, "offset", None),
            getattr(error, "path", None),
        )


def slowly(text):
    """("value", object) or ("error",), by the slow reader."""
    try:
        return ("value", slow_reader.read(text))
    except slow_reader.NotJson:
        return ("error",)


def implementations():
    """(name, decode) of every implementation that can run here."""
    import packhorse
    from packhorse.json import fallback

    found = [("fallback", fallback.decode)]
    if packhorse.build_info()["implementation"] == "c":
        from packhorse import _core

        found.append(("c", _core.json_decode))
    return found


def assert_all_agree(texts):
    """Every implementation accepts what the slow reader does, with the same values, and all say the same of the rest."""
    from comparing import difference

    wrong = []
    for text in texts:
        expected = slowly(text)
        results = [(name, decoding(decode, text)) for name, decode in implementations()]
        for name, result in results:
            if result[0] != expected[0]:
                wrong.append(f"{text!r}: {name} {result}, expected {expected}")
            elif result[0] == "value" and (problem := difference(result[1], expected[1])):
                wrong.append(f"{text!r}: {name}: {problem}")
        failures = {result[1:] for _, result in results if result[0] == "error"}
        if len(failures) > 1:
            wrong.append(f"{text!r}: {results}")
    assert not wrong, "\n".join(wrong[:20]) + f"\n{len(wrong)} differences"
