// Reads the byte after an allocation.
let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
print(bytes[CommandLine.arguments.count + 7])
