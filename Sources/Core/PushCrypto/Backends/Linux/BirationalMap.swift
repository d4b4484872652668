#if !canImport(CryptoKit)
  /// The map from the points of Ed25519 to those of X25519 (RFC 7748, 4.1).
  ///
  /// For public points only.
  enum BirationalMap {
    /// The length of a coordinate, in bytes.
    private static let size = 32

    /// Replaces concatenated 32-byte point encodings by their u coordinates; u is 0 for y = 1.
    ///
    /// The points share one inversion, which is the most expensive step. This is P. L. Montgomery's trick: only the product
    /// of all denominators is inverted. Multiplied by the other denominators, it yields the inverse of each.
    static func replaceByU(_ points: inout [UInt8]) {
      let count = points.count / size
      unsafe withUnsafeTemporaryAllocation(of: PublicFieldElement.self, capacity: count + 1) { products in
        // products[i] = d(0) * … * d(i - 1), where d(i) is the denominator of point i
        unsafe products.initialize(repeating: .one)
        for position in 0..<count {
          unsafe products[position + 1] = products[position] * fraction(of: points, at: position).denominator
        }
        // inverse = 1 / (d(0) * … * d(position))
        var inverse = unsafe products[count].inverse()
        for position in (0..<count).reversed() {
          let (numerator, denominator) = fraction(of: points, at: position)
          unsafe (numerator * inverse * products[position]).write(to: &points, at: position * size)
          inverse = inverse * denominator
        }
      }
    }

    /// u = (1 + y) / (1 - y), where y is the coordinate in a point's encoding (RFC 8032, 5.1.2).
    ///
    /// The value is 0 for y = 1, because a zero denominator would have no inverse, and all points share one.
    private static func fraction(
      of points: [UInt8], at position: Int
    ) -> (numerator: PublicFieldElement, denominator: PublicFieldElement) {
      let y = PublicFieldElement(littleEndian: points, from: position * size)
      let denominator = PublicFieldElement.one - y
      return denominator.isZero ? (.zero, .one) : (.one + y, denominator)
    }
  }

  /// A public number modulo p = 2^255 - 19.
  ///
  /// Five limbs of 51 bits leave room for carries: each is below 2^52, whatever operation it results from. The operators
  /// do not check for overflow because none is possible.
  private struct PublicFieldElement {
    private var limbs: (UInt64, UInt64, UInt64, UInt64, UInt64)

    static let zero = PublicFieldElement(0, 0, 0, 0, 0)
    static let one = PublicFieldElement(1, 0, 0, 0, 0)

    private static let mask: UInt64 = 1 << 51 - 1

    private init(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64, _ l4: UInt64) {
      limbs = (l0, l1, l2, l3, l4)
    }

    /// Reads 32 bytes; the top bit is ignored.
    init(littleEndian bytes: [UInt8], from start: Int) {
      func word(_ position: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[start + 8 * position + $1]) << UInt64(8 * $1) }
      }
      let (w0, w1, w2, w3) = (word(0), word(1), word(2), word(3))
      self.init(
        w0 & Self.mask, (w0 >> 51 | w1 << 13) & Self.mask, (w1 >> 38 | w2 << 26) & Self.mask,
        (w2 >> 25 | w3 << 39) & Self.mask, w3 >> 12 & Self.mask)
    }

    /// Writes the number, below p, as 32 bytes.
    func write(to bytes: inout [UInt8], at start: Int) {
      let (l0, l1, l2, l3, l4) = reduced().limbs
      let words = (l0 | l1 << 51, l1 >> 13 | l2 << 38, l2 >> 26 | l3 << 25, l3 >> 39 | l4 << 12)
      for index in 0..<8 {
        let shift = UInt64(8 * index)
        bytes[start + index] = UInt8(truncatingIfNeeded: words.0 >> shift)
        bytes[start + 8 + index] = UInt8(truncatingIfNeeded: words.1 >> shift)
        bytes[start + 16 + index] = UInt8(truncatingIfNeeded: words.2 >> shift)
        bytes[start + 24 + index] = UInt8(truncatingIfNeeded: words.3 >> shift)
      }
    }

    var isZero: Bool { reduced().limbs == (0, 0, 0, 0, 0) }

    static func + (left: Self, right: Self) -> Self {
      let (a, b) = (left.limbs, right.limbs)
      return Self(a.0 &+ b.0, a.1 &+ b.1, a.2 &+ b.2, a.3 &+ b.3, a.4 &+ b.4).carried()
    }

    static func - (left: Self, right: Self) -> Self {
      let (a, b) = (left.limbs, right.limbs)
      // Adding 4p keeps every limb from becoming negative.
      let (first, others): (UInt64, UInt64) = (1 << 53 - 76, 1 << 53 - 4)
      return Self(
        a.0 &+ first &- b.0, a.1 &+ others &- b.1, a.2 &+ others &- b.2, a.3 &+ others &- b.3,
        a.4 &+ others &- b.4
      ).carried()
    }

    static func * (left: Self, right: Self) -> Self {
      let (a, b) = (left.limbs, right.limbs)
      // 2^255 = 19 modulo p, so a product above the fifth limb counts 19 times.
      let (b1, b2, b3, b4) = (19 &* b.1, 19 &* b.2, 19 &* b.3, 19 &* b.4)
      return Self(
        carrying:
          product(a.0, b.0) &+ product(a.1, b4) &+ product(a.2, b3) &+ product(a.3, b2) &+ product(a.4, b1),
        product(a.0, b.1) &+ product(a.1, b.0) &+ product(a.2, b4) &+ product(a.3, b3) &+ product(a.4, b2),
        product(a.0, b.2) &+ product(a.1, b.1) &+ product(a.2, b.0) &+ product(a.3, b4) &+ product(a.4, b3),
        product(a.0, b.3) &+ product(a.1, b.2) &+ product(a.2, b.1) &+ product(a.3, b.0) &+ product(a.4, b4),
        product(a.0, b.4) &+ product(a.1, b.3) &+ product(a.2, b.2) &+ product(a.3, b.1) &+ product(a.4, b.0))
    }

    /// The square, in fewer steps than a product.
    ///
    /// An inversion squares 254 times. Without inlining it takes half as long again, because calls pass the limbs
    /// through memory.
    @inline(__always)
    private func squared() -> Self {
      let a = limbs
      let (twice0, twice1) = (2 &* a.0, 2 &* a.1)
      let (a3, a4) = (19 &* a.3, 19 &* a.4)
      return Self(
        carrying: Self.product(a.0, a.0) &+ Self.product(twice1, a4) &+ Self.product(2 &* a.2, a3),
        Self.product(twice0, a.1) &+ Self.product(2 &* a.2, a4) &+ Self.product(a.3, a3),
        Self.product(twice0, a.2) &+ Self.product(a.1, a.1) &+ Self.product(2 &* a.3, a4),
        Self.product(twice0, a.3) &+ Self.product(twice1, a.2) &+ Self.product(a.4, a4),
        Self.product(twice0, a.4) &+ Self.product(twice1, a.3) &+ Self.product(a.2, a.2))
    }

    /// The inverse, by Fermat's little theorem: 1 / a = a^(p - 2) = a^(2^255 - 21); 0 for 0.
    func inverse() -> Self {
      let a2 = squared()
      let a9 = a2.squared(times: 2) * self
      let a11 = a9 * a2
      let ones5 = a11.squared() * a9  // a^(2^5 - 1)
      let ones10 = ones5.squared(times: 5) * ones5
      let ones20 = ones10.squared(times: 10) * ones10
      let ones40 = ones20.squared(times: 20) * ones20
      let ones50 = ones40.squared(times: 10) * ones10
      let ones100 = ones50.squared(times: 50) * ones50
      let ones200 = ones100.squared(times: 100) * ones100
      let ones250 = ones200.squared(times: 50) * ones50
      return ones250.squared(times: 5) * a11
    }

    /// a^(2^count).
    private func squared(times count: Int) -> Self {
      var power = self
      for _ in 0..<count { power = power.squared() }
      return power
    }

    private static func product(_ a: UInt64, _ b: UInt64) -> UInt128 { UInt128(a) &* UInt128(b) }

    /// Reduces five sums of products: each is below 2^111, and the last, which has no factor 19, below 2^107.
    ///
    /// No carry depends on another: each sum passes its bits above the lowest 51 to the next, which leaves limbs below
    /// 2^61.
    private init(carrying s0: UInt128, _ s1: UInt128, _ s2: UInt128, _ s3: UInt128, _ s4: UInt128) {
      func low(_ sum: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: sum) & Self.mask }
      func high(_ sum: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: sum >> 51) }
      self = Self(
        low(s0) &+ 19 &* high(s4), low(s1) &+ high(s0), low(s2) &+ high(s1), low(s3) &+ high(s2),
        low(s4) &+ high(s3)
      ).carried()
    }

    /// The same number with limbs below 2^52, from limbs below 2^63.
    private func carried() -> Self {
      let a = limbs
      let mask = Self.mask
      return Self(
        a.0 & mask &+ 19 &* (a.4 >> 51), a.1 & mask &+ a.0 >> 51, a.2 & mask &+ a.1 >> 51,
        a.3 & mask &+ a.2 >> 51, a.4 & mask &+ a.3 >> 51)
    }

    /// The same number below p, with limbs below 2^51.
    private func reduced() -> Self {
      // After two rounds of carries the number is below 2p. It is at least p if adding 19 carries out of bit 255.
      let a = carried().carried().limbs
      var carry = (a.0 &+ 19) >> 51
      carry = (a.1 &+ carry) >> 51
      carry = (a.2 &+ carry) >> 51
      carry = (a.3 &+ carry) >> 51
      carry = (a.4 &+ carry) >> 51
      let l0 = a.0 &+ 19 &* carry
      let l1 = a.1 &+ l0 >> 51
      let l2 = a.2 &+ l1 >> 51
      let l3 = a.3 &+ l2 >> 51
      let l4 = a.4 &+ l3 >> 51
      let mask = Self.mask
      return Self(l0 & mask, l1 & mask, l2 & mask, l3 & mask, l4 & mask)
    }
  }
#endif
