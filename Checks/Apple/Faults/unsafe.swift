// A use of a C function that memory safety needs a mark for.
import Darwin

func variable() -> Bool { getenv("HOME") != nil }
