import PushCrypto
import Testing

/// The results of the comparisons; their timing is left to the library.
struct ConstantTimeTests {
  @Test(arguments: [0, 1, 2, 16, 31, 32, 33, 1000]) func `equal bytes are equal`(count: Int) {
    let left = [UInt8](repeating: 0x5a, count: count)
    let right = [UInt8](repeating: 0x5a, count: count)
    let isEqual = ConstantTime.equal(left.span, right.span)
    #expect(isEqual)
  }

  @Test(arguments: [1, 2, 16, 31, 32, 33]) func `any byte can differ`(count: Int) {
    let left = [UInt8](repeating: 0x5a, count: count)
    for index in 0..<count {
      var right = left
      right[index] ^= 0x80
      let isEqual = ConstantTime.equal(left.span, right.span)
      #expect(!isEqual, "byte \(index)")
    }
  }

  @Test(arguments: [([], [0]), ([0], []), ([1, 2], [1, 2, 0]), ([1, 2, 3], [1, 2])])
  func `other lengths are not equal`(left: [UInt8], right: [UInt8]) {
    let isEqual = ConstantTime.equal(left.span, right.span)
    #expect(!isEqual)
  }

  @Test func `zero is all zero`() {
    for count in [0, 1, 31, 32, 33] {
      let zeros = [UInt8](repeating: 0, count: count)
      let isZero = ConstantTime.isZero(zeros.span)
      #expect(isZero)
      for index in 0..<count {
        var bytes = zeros
        bytes[index] = 1
        let isZero = ConstantTime.isZero(bytes.span)
        #expect(!isZero)
      }
    }
  }
}
