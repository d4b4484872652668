import PushCore
import Testing

struct PaddingTests {
  @Test(
    "buckets are the smallest that hold the plaintext",
    arguments: [
      (1, 256), (255, 256), (256, 256), (257, 512), (512, 512), (513, 1024), (1024, 1024), (1025, 2048),
      (2048, 2048), (2049, 2900), (2900, 2900),
    ])
  func buckets(size: Int, padded: Int) {
    #expect(Padding.buckets.paddedSize(of: size, capacity: 2900) == padded)
  }

  @Test(
    "a bucket above the capacity is not used",
    arguments: [
      (1, 255, 255), (255, 255, 255), (200, 256, 256), (300, 511, 511), (2000, 2047, 2047), (1, 1, 1),
    ])
  func capacity(size: Int, capacity: Int, padded: Int) {
    #expect(Padding.buckets.paddedSize(of: size, capacity: capacity) == padded)
  }

  @Test("the maximum is the capacity", arguments: [1, 256, 2899, 2900])
  func maximum(size: Int) {
    #expect(Padding.maximum.paddedSize(of: size, capacity: 2900) == 2900)
  }

  @Test("none is the size itself", arguments: [1, 256, 2899, 2900])
  func none(size: Int) {
    #expect(Padding.none.paddedSize(of: size, capacity: 2900) == size)
  }

  @Test(
    "a plaintext above the capacity does not fit", arguments: Padding.allCases,
    [(2901, 2900), (1, 0), (1, -7)])
  func over(padding: Padding, sizes: (size: Int, capacity: Int)) {
    #expect(padding.paddedSize(of: sizes.size, capacity: sizes.capacity) == nil)
  }
}
