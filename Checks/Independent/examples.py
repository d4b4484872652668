"""Lets other modules import `sealedpush` of Examples/python, which need not be installed."""
import pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Examples/python"))
