// A call that needs iOS 26.
func count(_ bytes: [UInt8]) -> Int { bytes.span.count }
