"""Runs other projects' tests on Packhorse and compares the outcome with expected.toml (see the README beside)."""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
BUILD = pathlib.Path(os.environ.get("PACKHORSE_BUILD") or ROOT / "build") / "peers"
PACKAGE = ROOT / "python"

SOURCES = {
    "msgpack": ("1.2.4", "475c44e12f2a5de766a8448783f149c9b33f3f49b88953c6cd739a77d93c732c"),
    "orjson": ("3.13.0", "d1de5eb04485110c5da4c657e49168995d55e076b1ce60f1a042e254f4186c4f"),
    "msgpack-numpy": ("0.4.8", "c667d3180513422f9c7545be5eec5d296dcbb357e06f72ed39cc683797556e69"),
}
BORG_TESTS = ("item", "key", "archive", "helpers")


class NotRun(Exception):
    """A suite can not run here; the text says why."""


def run(*command, **options):
    """A command whose output is shown only when it fails."""
    result = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if result.returncode != 0:
        sys.stderr.write(result.stdout + result.stderr)
        raise SystemExit(f"failed: {' '.join(map(str, command))}")
    return result.stdout


def install_debian(*packages):
    """As far as that can be done from here; what is missing then says so itself."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        options = ["-y", "-qq", "-o", "DPkg::Lock::Timeout=300"]
        subprocess.run(
            ["apt-get", "install", *options, *packages], capture_output=True, check=False
        )


def environment_for(purpose, python, packages):
    """An environment of `python` with the packages and neither msgpack nor orjson; the path of its interpreter."""
    tag = run(
        python, "-c", "import sysconfig; print(sysconfig.get_config_var('SOABI') or 'python')"
    ).strip()
    folder = BUILD / f"environment-{purpose}-{tag}"
    inside = folder / "bin" / "python"
    stamp = folder / ".installed"
    wanted = "\n".join(sorted(packages))
    if not (stamp.exists() and stamp.read_text() == wanted):
        shutil.rmtree(folder, ignore_errors=True)
        if subprocess.run(
            [python, "-m", "venv", str(folder)], capture_output=True, check=False
        ).returncode:
            install_debian("python3-venv")  # Debian's interpreter comes without
            run(python, "-m", "venv", str(folder))
        run(str(inside), "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages)
        stamp.write_text(wanted)
    for peer in ("msgpack", "orjson"):
        found = subprocess.run(
            [str(inside), "-c", f"import {peer}"], capture_output=True, check=False
        )
        if found.returncode == 0:
            raise SystemExit(f"another {peer} is installed in {folder}")
    return str(inside)


def pinned_requirements():
    """The versions that the project tests with: pytest and numpy as they are in tools/requirements/test.txt."""
    lines = (ROOT / "tools/requirements/test.txt").read_text().splitlines()
    return [line for line in lines if line.startswith(("pytest==", "numpy=="))]


def metadata_backend(name, version):
    """A folder with a build backend that only describes the package: pip asks for that before it downloads."""
    folder = BUILD / f"{name}-backend"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "maturin.py").write_text(
        f"""import pathlib
def get_requires_for_build_wheel(settings=None):
    return []
def prepare_metadata_for_build_wheel(folder, settings=None):
    described = pathlib.Path(folder) / "{name}-{version}.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    return described.name
"""
    )
    return folder


def fetch_source(name):
    """The unpacked source package, fetched from the package index and checked against its hash."""
    version, digest = SOURCES[name]
    target = BUILD / f"{name}-{version}"
    if target.is_dir():
        return target
    downloads = BUILD / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    requirement = downloads / f"{name}.txt"
    requirement.write_text(f"{name}=={version} --hash=sha256:{digest}\n")
    arguments = ["--no-deps", f"--no-binary={name}", "--require-hashes", "-r", str(requirement)]
    environment = dict(os.environ)
    if name == "orjson":  # its own backend needs a Rust compiler
        arguments.append("--no-build-isolation")
        environment["PYTHONPATH"] = str(metadata_backend(name, version))
    command = [sys.executable, "-m", "pip", "download", "-q", *arguments, "-d", str(downloads)]
    run(*command, env=environment)
    (archive,) = downloads.glob(f"{name.replace('-', '[-_]')}-{version}.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(BUILD, filter="data")
    return target


def run_pytest(suite, implementation, python, folder, arguments, **settings):
    """Outcome by test of one run of pytest in `folder`."""
    report = BUILD / f"{suite}-{implementation}.json"
    report.unlink(missing_ok=True)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment.update(
        PYTHONPATH=os.pathsep.join([str(PACKAGE), str(FOLDER), *settings.pop("path", [])]),
        PYTHONDONTWRITEBYTECODE="1",
        PEER_IMPLEMENTATION=implementation,
        PEER_REPORT=str(report),
        PACKHORSE_PURE="1" if implementation == "fallback" else "",
        MSGPACK_PUREPYTHON="1" if implementation == "fallback" else "",
        **settings,
    )
    # An empty configuration of its own: pytest would otherwise take that of this project from above.
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [python, "-m", "pytest", "-q", "-p", "plugin", "-p", "no:cacheprovider", *arguments]
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if not report.exists():
        sys.stderr.write(result.stdout + result.stderr)
        raise SystemExit(f"{suite} ({implementation}): pytest wrote no report")
    (BUILD / f"{suite}-{implementation}.log").write_text(result.stdout + result.stderr)
    return json.loads(report.read_text())


def msgpack(implementation):
    """A copy of the test folder alone: beside its sources pytest would import those."""
    source = fetch_source("msgpack")
    folder = BUILD / f"msgpack-{implementation}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source / "test", folder / "test")
    python = environment_for("numpy", sys.executable, pinned_requirements())
    return run_pytest("msgpack", implementation, python, folder, ["test"])


def orjson(implementation):
    """Its tests look for larger documents beside them, which the source package has not: those skip themselves."""
    source = fetch_source("orjson")
    folder = BUILD / f"orjson-{implementation}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source / "test", folder / "test")
    times = ["python-dateutil==2.9.0.post0", "pytz==2026.6"]
    python = environment_for("orjson", sys.executable, [*pinned_requirements(), *times])
    return run_pytest("orjson", implementation, python, folder, ["test"], PEER_NAME="orjson")


def msgpack_numpy(implementation):
    source = fetch_source("msgpack-numpy")
    folder = BUILD / f"msgpack-numpy-{implementation}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("msgpack_numpy.py", "tests.py"):
        shutil.copy(source / name, folder / name)
    python = environment_for("numpy", sys.executable, pinned_requirements())
    return run_pytest(
        "msgpack-numpy",
        implementation,
        python,
        folder,
        ["tests.py"],
        path=[str(folder)],
        PEER_PATCHES_MSGPACK="1",
    )


def borg_folder():
    """The installed files of Debian's borgbackup package, unpacked for us."""
    folder = BUILD / "borgbackup"
    packages = folder / "usr/lib/python3/dist-packages"
    if packages.is_dir():
        return packages
    if not shutil.which("apt-get"):
        raise NotRun("needs Debian's borgbackup package, and this is no Debian")
    downloads = BUILD / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    if subprocess.run(
        ["apt-get", "download", "-qq", "borgbackup"],
        cwd=downloads,
        capture_output=True,
        check=False,
    ).returncode:
        raise NotRun("apt-get could not download borgbackup")
    (archive,) = downloads.glob("borgbackup_*.deb")
    run("dpkg-deb", "-x", str(archive), str(folder))
    install_debian("libacl1", "liblz4-1", "libxxhash0", "libzstd1")
    return packages


def interpreter_for(extension):
    """An interpreter that can load the extension module: this one or the system's, or None."""
    for python in (sys.executable, "/usr/bin/python3"):
        if not os.path.exists(python):
            continue
        suffix = run(
            python, "-c", "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"
        ).strip()
        if extension.name.endswith(suffix):
            return python
    return None


def newest_accepted(source):
    """The newest msgpack version that this borg works with: it compares msgpack.version with a range."""
    upper = re.search(r"<= msgpack\.version <= \(([0-9, ]+)\)", source.read_text())
    if upper is None:
        raise NotRun(f"{source.name} names no range of msgpack versions")
    return ".".join(upper[1].replace(" ", "").split(",")[:3])


def borgbackup(implementation):
    packages = borg_folder()
    extension = next((packages / "borg").glob("item.*.so"))
    python = interpreter_for(extension)
    if python is None:
        raise NotRun(f"no interpreter here loads {extension.name}")
    if python != sys.executable:
        run(str(ROOT / "tools/inplace.sh"), env={**os.environ, "PYTHON": python})
    folder = BUILD / "borgbackup-run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "borg").symlink_to(packages / "borg")
    version = newest_accepted(packages / "borg/helpers/msgpack.py")
    requirements = [*pinned_requirements(), "packaging", "setuptools<81"]
    inside = environment_for("borg", python, requirements)
    arguments = [
        "-p",
        "borg_settings",
        "--pyargs",
        *(f"borg.testsuite.{name}" for name in BORG_TESTS),
    ]
    home = folder / "home"
    home.mkdir()
    return run_pytest(
        "borgbackup", implementation, inside, folder, arguments,
        path=[str(folder)], PEER_VERSION=version, HOME=str(home),
    )  # fmt: skip


SUITES = {
    "msgpack": (msgpack, ("c", "fallback")),
    "orjson": (orjson, ("c", "fallback")),
    "msgpack-numpy": (msgpack_numpy, ("c",)),
    "borgbackup": (borgbackup, ("c",)),
}


def compare(suite, implementation, outcomes, expected):
    """Prints the figures; returns sentences about what is not as expected."""
    count = {
        outcome: list(outcomes.values()).count(outcome)
        for outcome in ("passed", "failed", "skipped")
    }
    print(
        f"{suite} ({implementation}): {count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped"
    )
    exceptions = expected.get("exceptions", {})
    wrong = []
    for test, outcome in sorted(outcomes.items()):
        if outcome == "failed" and test not in exceptions:
            wrong.append(f"{test} failed and is not listed")
        if outcome == "passed" and test in exceptions:
            wrong.append(f"{test} is listed but passes: remove it")
    wrong += [f"{test} is listed but was not run" for test in exceptions if test not in outcomes]
    for test, reason in exceptions.items():
        print(f"  except {test}: {reason}")
    if count["passed"] + len(exceptions) < expected["passed"]:
        wrong.append(f"{count['passed']} passed, the bar is {expected['passed']}")
    if count["skipped"] > expected["skipped"]:
        wrong.append(f"{count['skipped']} skipped, at most {expected['skipped']} may be")
    return [f"{suite} ({implementation}): {sentence}" for sentence in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=", ".join(SUITES))
    chosen = parser.parse_args().suites or list(SUITES)
    unknown = [suite for suite in chosen if suite not in SUITES]
    if unknown:
        parser.error(f"unknown suite: {', '.join(unknown)}")
    BUILD.mkdir(parents=True, exist_ok=True)
    expected = tomllib.loads((FOLDER / "expected.toml").read_text())
    wrong = []
    for suite in chosen:
        function, implementations = SUITES[suite]
        for implementation in implementations:
            try:
                outcomes = function(implementation)
            except NotRun as reason:
                print(f"{suite} ({implementation}): not run: {reason}")
                continue
            wrong += compare(suite, implementation, outcomes, expected[suite][implementation])
    for sentence in wrong:
        print(f"error: {sentence}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
