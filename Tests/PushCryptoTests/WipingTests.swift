import PushCrypto
import Testing

/// Arrays that are wiped by hand.
struct WipingTests {
  /// The memory is inspected after the array has released it.
  ///
  /// An unowned reference to the array's storage, which
  /// is an object, keeps the memory from being given back until then.
  @Test func `the bytes are zeroed where they stand`() {
    var array = (1...64).map { UInt8($0) }
    let storage = StorageKeeper(array)
    let address = unsafe array.withUnsafeBufferPointer { unsafe $0 }
    #expect(unsafe address.contains(64))
    array.wipe()
    #expect(unsafe address.allSatisfy { $0 == 0 })
    #expect(array.isEmpty)
    withExtendedLifetime(storage) {}
  }

  @Test func `an empty array can be wiped`() {
    var array: [UInt8] = []
    array.wipe()
    #expect(array.isEmpty)
  }

  @Test func `a copy made earlier is out of reach`() {
    var array: [UInt8] = [1, 2, 3]
    let copy = array
    array.wipe()
    #expect(array.isEmpty)
    #expect(copy == [1, 2, 3])
  }
}

/// Keeps the memory of an array's storage, but not the storage alive.
private struct StorageKeeper {
  private unowned let storage: AnyObject

  init(_ array: [UInt8]) {
    unsafe storage = unsafeBitCast(array, to: AnyObject.self)
  }
}
