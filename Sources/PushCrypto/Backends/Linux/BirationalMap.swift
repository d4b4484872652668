internal import COpenSSL
private import Synchronization

/// The map from the points of Ed25519 to those of X25519 (RFC 7748, 4.1).
///
/// For public points only: it does not run in constant time.
enum OpenSSLBirationalMap {
  /// Returns the u coordinates of concatenated 32-byte point encodings; u is 0 for y = 1.
  ///
  /// The points share one inversion, which is the most expensive step. Returns `nil` if memory runs out.
  static func u(ofPoints points: Span<UInt8>) -> [UInt8]? {
    guard let arithmetic = OpenSSLFieldArithmetic() else { return nil }
    var fractions: [OpenSSLFieldArithmetic.Fraction] = []
    fractions.reserveCapacity(points.count / X25519.keySize)
    for start in stride(from: 0, to: points.count, by: X25519.keySize) {
      // u = (1 + y) / (1 - y)
      let point = points.extracting(start..<start + X25519.keySize)
      guard let fraction = arithmetic.fraction(withY: point) else { return nil }
      fractions.append(fraction)
    }
    return arithmetic.quotients(of: fractions)
  }
}

/// A computation with public numbers modulo p = 2^255 - 19.
///
/// It owns its numbers and releases them all at once.
///
/// A `nil` result means that memory ran out.
@safe
private struct OpenSSLFieldArithmetic: ~Copyable {
  /// A numerator and a nonzero denominator, valid as long as their computation.
  @safe
  struct Fraction {
    fileprivate let numerator: OpaquePointer
    fileprivate let denominator: OpaquePointer
  }

  private static let spare = Spare()

  private let field: OpenSSLField
  private let scratch: OpaquePointer

  init?() {
    guard let field = OpenSSLField.shared, let scratch = unsafe Self.spare.take() ?? BN_CTX_new() else {
      return nil
    }
    unsafe BN_CTX_start(scratch)
    self.field = field
    unsafe self.scratch = unsafe scratch
  }

  deinit {
    unsafe BN_CTX_end(scratch)
    if let second = unsafe Self.spare.put(scratch) { unsafe BN_CTX_free(second) }
  }

  /// (1 + y) / (1 - y), where y is the coordinate in a point's encoding (RFC 8032, 5.1.2), below p.
  ///
  /// The result is 0 for y = 1, because a zero denominator would have no inverse, and all fractions share one.
  func fraction(withY point: Span<UInt8>) -> Fraction? {
    guard let sum = unsafe number(), let difference = unsafe number(),
      unsafe point.withPointer({ point, count in unsafe BN_lebin2bn(point, CInt(count), sum) }) != nil,
      unsafe BN_clear_bit(sum, 255) == 1 || BN_is_bit_set(sum, 255) == 0,  // the top bit is x's
      unsafe BN_mod_sub_quick(difference, BN_value_one(), sum, field.prime) == 1,
      unsafe BN_mod_add_quick(sum, sum, BN_value_one(), field.prime) == 1
    else { return nil }
    if unsafe BN_is_zero(difference) == 1 {
      guard unsafe BN_set_word(sum, 0) == 1, unsafe BN_set_word(difference, 1) == 1 else { return nil }
    }
    return unsafe Fraction(numerator: sum, denominator: difference)
  }

  /// Returns the values of the fractions, concatenated, each as 32 bytes in little endian.
  ///
  /// This is P. L. Montgomery's trick: only the product of all denominators is inverted. Multiplied by the other
  /// denominators, it yields the inverse of each.
  func quotients(of fractions: [Fraction]) -> [UInt8]? {
    guard let products = unsafe products(of: fractions), let product = unsafe products.last,
      var inverse = unsafe inverse(of: product)
    else { return nil }
    var quotients = [UInt8](repeating: 0, count: fractions.count * X25519.keySize)
    for position in fractions.indices.reversed() {
      let fraction = fractions[position]
      // inverse = 1 / (d(0) * … * d(position))
      guard
        let ownInverse = unsafe position == 0 ? inverse : multiply(products[position - 1], inverse),
        let quotient = unsafe multiply(fraction.numerator, ownInverse),
        let rest = unsafe position == 0 ? inverse : multiply(fraction.denominator, inverse),
        unsafe write(quotient, to: &quotients, at: position * X25519.keySize)
      else { return nil }
      unsafe inverse = rest
    }
    return quotients
  }

  /// Returns the running products of the denominators: d(0), d(0) * d(1), d(0) * d(1) * d(2), ….
  @unsafe private func products(of fractions: [Fraction]) -> [OpaquePointer]? {
    var products: [OpaquePointer] = unsafe []
    unsafe products.reserveCapacity(fractions.count)
    for fraction in fractions {
      let denominator = unsafe fraction.denominator
      guard
        let product = unsafe products.isEmpty
          ? denominator : multiply(products[products.count - 1], denominator)
      else { return nil }
      unsafe products.append(product)
    }
    return unsafe products
  }

  /// Computes a * b / R, with Montgomery's R = 2^256.
  ///
  /// The factors of R cancel: each product of denominators has as many as its inverse removes.
  @unsafe private func multiply(_ a: OpaquePointer, _ b: OpaquePointer) -> OpaquePointer? {
    guard let product = unsafe number(),
      unsafe BN_mod_mul_montgomery(product, a, b, field.form, scratch) == 1
    else { return nil }
    return unsafe product
  }

  /// Computes R / a by Fermat's little theorem: 1 / a = a^(p - 2) = a^(2^255 - 21).
  ///
  /// These 254 squarings and 11 multiplications are faster than OpenSSL's general exponentiation.
  @unsafe private func inverse(of a: OpaquePointer) -> OpaquePointer? {
    guard let a1 = unsafe number(), unsafe BN_to_montgomery(a1, a, field.form, scratch) == 1,
      let a2 = unsafe multiply(a1, a1),
      let a9 = unsafe power(a2, 2, times: a1),
      let a11 = unsafe multiply(a9, a2),
      let ones5 = unsafe power(a11, 1, times: a9),  // a^(2^5 - 1)
      let ones10 = unsafe power(ones5, 5, times: ones5),
      let ones20 = unsafe power(ones10, 10, times: ones10),
      let ones40 = unsafe power(ones20, 20, times: ones20),
      let ones50 = unsafe power(ones40, 10, times: ones10),
      let ones100 = unsafe power(ones50, 50, times: ones50),
      let ones200 = unsafe power(ones100, 100, times: ones100),
      let ones250 = unsafe power(ones200, 50, times: ones50)
    else { return nil }
    return unsafe power(ones250, 5, times: a11)
  }

  /// Computes a^(2^squarings) * b on numbers in Montgomery form.
  @unsafe private func power(
    _ a: OpaquePointer, _ squarings: Int, times b: OpaquePointer
  ) -> OpaquePointer? {
    guard let power = unsafe multiply(a, a) else { return nil }
    for _ in 1..<squarings {
      guard unsafe BN_mod_mul_montgomery(power, power, power, field.form, scratch) == 1 else { return nil }
    }
    return unsafe BN_mod_mul_montgomery(power, power, b, field.form, scratch) == 1 ? power : nil
  }

  @unsafe private func write(_ number: OpaquePointer, to bytes: inout [UInt8], at start: Int) -> Bool {
    unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe BN_bn2lebinpad(number, bytes.baseAddress! + start, CInt(X25519.keySize)) == CInt(X25519.keySize)
    }
  }

  /// Returns a new number owned by the computation.
  ///
  /// After the first failure, every call returns `nil`.
  @unsafe private func number() -> OpaquePointer? { unsafe BN_CTX_get(scratch) }
}

/// Keeps the memory of a finished computation for the next one.
@safe
private struct Spare: ~Copyable {
  private let address = Atomic<UInt>(0)

  /// Takes the spare memory, if there is any.
  func take() -> OpaquePointer? {
    unsafe OpaquePointer(bitPattern: address.exchange(0, ordering: .acquiring))
  }

  /// Stores `scratch` and returns the memory that it replaces, if any.
  func put(_ scratch: OpaquePointer) -> OpaquePointer? {
    let old = address.exchange(UInt(bitPattern: scratch), ordering: .acquiringAndReleasing)
    return unsafe OpaquePointer(bitPattern: old)
  }
}

/// Constants of the field of integers modulo p = 2^255 - 19; they are read-only.
@safe
private struct OpenSSLField: @unchecked Sendable {
  /// p.
  let prime: OpaquePointer

  /// The precomputed context for Montgomery multiplication modulo p.
  let form: OpaquePointer

  /// `nil` if memory runs out.
  static let shared = OpenSSLField()

  private init?() {
    let bytes = LittleEndian.fieldPrime
    guard OpenSSL.start(), let prime = unsafe BN_lebin2bn(bytes, CInt(bytes.count), nil),
      let form = unsafe BN_MONT_CTX_new(), let scratch = unsafe BN_CTX_new()
    else { return nil }
    defer { unsafe BN_CTX_free(scratch) }
    guard unsafe BN_MONT_CTX_set(form, prime, scratch) == 1 else { return nil }
    unsafe self.prime = unsafe prime
    unsafe self.form = unsafe form
  }
}
