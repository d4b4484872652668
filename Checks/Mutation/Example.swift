/// Code with a change of each kind, for check.py: Example.txt lists them.
struct Example {
  var count = 7
  var isOpen = true

  var description: String { count > 9 ? "many" : "few" }

  mutating func add(_ numbers: [Int]) throws {
    guard !numbers.isEmpty else { throw ExampleError.empty }
    for number in numbers where number >= 0xFF {
      count += min(number, count)
    }
    log("added \(numbers.count + 1)")
    precondition(count < 100)
    if isOpen && count == 3 { isOpen.toggle() }
    if let last = numbers.last, last != 0 || isOpen {
      print(last)
      return
    }
    do { try close() } catch { throw ExampleError.full }
  }

  func half() -> Int? {
    #if canImport(Darwin)
      return count - 1
    #else
      return isOpen ? count / 2 : nil
    #endif
  }

  private func close() throws {
    _ = half()
  }

  private func log(_ text: String) {}
}

enum ExampleError: Int, Error {
  case empty = 1
  case full = 2
}
