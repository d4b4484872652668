"""Says in plain words that `cryptography` is missing or too old; otherwise some import would fail, and not say why."""
OLDEST = 38  # Debian 12's


def check() -> None:
    try:
        from cryptography import __version__ as version
    except ImportError:
        raise ImportError(f"sealedpush needs the package cryptography: pip install 'cryptography>={OLDEST}'") from None
    if int(version.split(".")[0]) < OLDEST:
        raise ImportError(f"sealedpush needs cryptography {OLDEST} or later, and this is {version}: "
                          f"pip install 'cryptography>={OLDEST}'")
