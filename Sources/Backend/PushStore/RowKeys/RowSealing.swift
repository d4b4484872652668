/// A store whose rows can be sealed and checked: one in a database.
package protocol SealableStore: Store {
  /// Reads rows as they stand, in the order of their numbers.
  func rows(after id: Int64, atMost count: Int) async throws(StoreError) -> [RawDevice]

  /// What the store says of its row key; nil if it is not sealed.
  func rowMark() async throws(StoreError) -> RowMark?

  /// Sets the mark.
  func set(_ mark: RowMark) async throws(StoreError)

  /// Writes the MACs and the lines of rows that have not changed since they were read, and returns how many those are.
  func write(_ macs: [RowMAC]) async throws(StoreError) -> Int

  /// The error for a row key that is not the store's.
  func error(for fault: RowKeyFault) async -> StoreError
}

extension SealableStore {
  /// Reads every row, and passes it on with what is wrong with it.
  ///
  /// Without a key, a row must follow from its registration's line. With the key, its MAC must be right, too.
  ///
  /// - Throws: ``StoreError``; ``StoreError/rowKey(_:place:)`` if the key is not the store's.
  package func checkRows(
    with key: RowKey?, found: (RawDevice, RowFault?) -> Void
  ) async throws(StoreError) {
    let seal = key.map(RowSeal.init)
    let mark = try await rowMark()
    if let seal, let fault = RowMark.fault(of: mark, for: seal) { throw await error(for: fault) }
    try await eachPage { (page) async throws(StoreError) in
      for row in page { found(row, row.fault(under: seal)) }
    }
  }

  /// Seals the rows that have no MAC under `key` yet, and passes on what is wrong with those that it leaves as they are.
  ///
  /// A row must follow from its registration's line, whose signatures are verified. A row that has a MAC is sealed anew only
  /// if that is right under the `old` key. In a store that was sealed before, a row without a MAC is left. With `anew`, no
  /// row's MAC counts: for a store whose key is lost.
  ///
  /// - Throws: ``StoreError``; ``StoreError/rowKey(_:place:)`` if the store is sealed with a key that is neither.
  package func sealRows(
    with key: RowKey, replacing old: RowKey? = nil, anew: Bool = false, left: (RawDevice, RowFault) -> Void
  ) async throws(StoreError) -> SealedRows {
    let (seal, oldSeal, mark) = (RowSeal(key), old.map(RowSeal.init), try await rowMark())
    if let mark, !anew, ![seal.keyID, oldSeal?.keyID].contains(mark.keyID) { throw await error(for: .other) }
    let takesOver = anew || oldSeal == nil && mark.map { !$0.isWhole } ?? true
    try await set(RowMark(keyID: seal.keyID, isWhole: false))
    var result = SealedRows()
    try await eachPage { (page) async throws(StoreError) in
      var macs: [RowMAC] = []
      for row in page {
        if row.isAuthentic(under: seal) {
          result.unchanged += 1
        } else if let fault = row.obstacle(old: oldSeal, takesOver: takesOver, anew: anew) {
          result.left += 1
          left(row, fault)
        } else {
          macs.append(RowMAC(of: row, under: seal, replacing: oldSeal))
        }
      }
      let written = try await write(macs)
      result.sealed += written
      // Whoever has the key has changed the others, or removed them.
      result.unchanged += macs.count - written
    }
    try await set(RowMark(keyID: seal.keyID, isWhole: true))
    return result
  }

  private func eachPage(
    _ body: ([RawDevice]) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    let size = 500
    // Not by name, because a name that something else has written may have no place in the order.
    var last = Int64.min
    while true {
      let page = try await rows(after: last, atMost: size)
      try await body(page)
      guard page.count == size, let id = page.last?.id else { return }
      last = id
    }
  }
}

/// What became of a store's rows.
package struct SealedRows: Equatable, Sendable {
  /// How many have a MAC since.
  package var sealed = 0
  /// How many had it.
  package var unchanged = 0
  /// How many were left as they are.
  package var left = 0

  package init(sealed: Int = 0, unchanged: Int = 0, left: Int = 0) {
    (self.sealed, self.unchanged, self.left) = (sealed, unchanged, left)
  }
}

extension RawDevice {
  /// What is wrong with the row.
  fileprivate func fault(under seal: RowSeal?) -> RowFault? {
    if let seal, !isAuthentic(under: seal) { return mismatch() ?? (hasMAC ? .wrongMAC : .noMAC) }
    return mismatch()
  }

  /// Why the row is not sealed; nil if it is to be.
  fileprivate func obstacle(old: RowSeal?, takesOver: Bool, anew: Bool) -> RowFault? {
    if let mismatch = mismatch() { return mismatch }
    if anew { return nil }
    guard hasMAC else { return takesOver ? nil : .noMAC }
    return old.map { isAuthentic(under: $0) } == true ? nil : .wrongMAC
  }
}
