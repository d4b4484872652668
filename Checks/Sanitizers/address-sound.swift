// Reads the last byte of an allocation.
let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
bytes.initialize(repeating: 0, count: 8)
precondition(bytes[CommandLine.arguments.count + 6] == 0)
