/// Looks at an array's memory after the array has released it.
///
/// An unowned reference to the array's storage, which is an object, keeps the memory from being freed.
@safe
struct MemoryTrace: @unchecked Sendable {
  private unowned let storage: AnyObject
  private let memory: UnsafeBufferPointer<UInt8>

  /// Traces an array that has storage, and so is not empty.
  init(of array: [UInt8]) {
    unsafe storage = unsafeBitCast(array, to: AnyObject.self)
    unsafe memory = array.withUnsafeBufferPointer { unsafe $0 }
  }

  /// Traces the array behind a span of all its bytes.
  ///
  /// An array's storage has a header of four words before the bytes.
  init(behind span: Span<UInt8>) {
    unsafe memory = span.withUnsafeBufferPointer { unsafe $0 }
    let header = unsafe UnsafeRawPointer(memory.baseAddress!) - 4 * MemoryLayout<Int>.size
    unsafe storage = Unmanaged<AnyObject>.fromOpaque(header).takeUnretainedValue()
  }

  /// What is in the memory now.
  var bytes: [UInt8] { unsafe Array(memory) }
}
