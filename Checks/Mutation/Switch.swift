private import Glibc

/// The number of the mutant that is on; 0: none.
private let active: Int = unsafe getenv("SEALEDPUSH_MUTANT").map { unsafe atol($0) } ?? 0

/// The file in which each mutant that the tests reach leaves a mark, in runs that measure this.
nonisolated(unsafe) private let marks: UnsafeMutablePointer<UInt8>? = {
  guard let path = unsafe getenv("SEALEDPUSH_REACHED") else { return nil }
  let file = unsafe open(path, O_RDWR | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  let start = unsafe mmap(nil, 1 << 24, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
  return unsafe start == MAP_FAILED ? nil : start?.assumingMemoryBound(to: UInt8.self)
}()

/// Whether a mutant is on.
@inline(never)
func mutant(_ number: Int) -> Bool {
  if let marks = unsafe marks { unsafe marks[number & 0xFF_FFFF] = 1 }
  return number == active
}

func mutantLess<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  mutant(number) ? left <= right : left < right
}

@_disfavoredOverload
func mutantLess<L: BinaryInteger, R: BinaryInteger>(_ number: Int, _ left: L, _ right: R) -> Bool {
  mutant(number) ? left <= right : left < right
}

func mutantLessOrEqual<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  mutant(number) ? left < right : left <= right
}

@_disfavoredOverload
func mutantLessOrEqual<L: BinaryInteger, R: BinaryInteger>(_ number: Int, _ left: L, _ right: R) -> Bool {
  mutant(number) ? left < right : left <= right
}

func mutantGreater<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  mutant(number) ? left >= right : left > right
}

@_disfavoredOverload
func mutantGreater<L: BinaryInteger, R: BinaryInteger>(_ number: Int, _ left: L, _ right: R) -> Bool {
  mutant(number) ? left >= right : left > right
}

func mutantGreaterOrEqual<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {
  mutant(number) ? left > right : left >= right
}

@_disfavoredOverload
func mutantGreaterOrEqual<L: BinaryInteger, R: BinaryInteger>(_ number: Int, _ left: L, _ right: R) -> Bool {
  mutant(number) ? left > right : left >= right
}

func mutantPlus<T: AdditiveArithmetic>(_ number: Int, _ left: T, _ right: T) -> T {
  mutant(number) ? left - right : left + right
}

func mutantMinus<T: AdditiveArithmetic>(_ number: Int, _ left: T, _ right: T) -> T {
  mutant(number) ? left + right : left - right
}

func mutantTimes<T: Numeric>(_ number: Int, _ left: T, _ right: T) -> T {
  mutant(number) ? left + right : left * right
}

func mutantTimes<T: BinaryInteger>(_ number: Int, _ left: Duration, _ right: T) -> Duration {
  mutant(number) ? left / right : left * right
}

func mutantTimes(_ number: Int, _ left: Duration, _ right: Double) -> Duration {
  mutant(number) ? left / right : left * right
}

func mutantDivided<T: BinaryInteger>(_ number: Int, _ left: Duration, _ right: T) -> Duration {
  mutant(number) ? left * right : left / right
}

func mutantDivided<T: BinaryInteger>(_ number: Int, _ left: T, _ right: T) -> T {
  mutant(number) ? left * right : left / right
}

func mutantWrappingPlus<T: FixedWidthInteger>(_ number: Int, _ left: T, _ right: T) -> T {
  mutant(number) ? left &- right : left &+ right
}

func mutantWrappingMinus<T: FixedWidthInteger>(_ number: Int, _ left: T, _ right: T) -> T {
  mutant(number) ? left &+ right : left &- right
}

func mutantMin<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> T {
  mutant(number) ? max(left, right) : min(left, right)
}

func mutantMax<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> T {
  mutant(number) ? min(left, right) : max(left, right)
}
