internal import PushCommands
internal import PushFiles
internal import PushStore
internal import PushStorePostgres

/// Where a store is: an SQLite file, by its path, or a PostgreSQL database, by its address.
enum StorePlace: Sendable {
  case file(String)
  case database(String)

  /// Reads `--store`.
  init(from arguments: Arguments) throws(ToolError) {
    let text = try arguments.required(.store)
    guard let scheme = try Self.scheme(of: text) else {
      guard text != "-" else {
        throw .usage("\(Option.store) must be a file or a database, not standard input")
      }
      // It may have a password, so it is not shown.
      guard !Self.hasKeywords(text) else {
        throw .usage(
          "\(Option.store) cannot be a list of libpq keywords",
          hint: "write them as postgresql://USER@HOST/DATABASE"
        )
      }
      if let prefix = Self.prefixes.first(where: { text.lowercased().hasPrefix($0) }) {
        throw .usage(
          "\(Option.store) begins with \(prefix), as another program's addresses do",
          hint: "give the path of an SQLite file alone, or postgresql://HOST/DATABASE")
      }
      self = .file(text)
      return
    }
    guard ["postgresql", "postgres"].contains(scheme) else {
      throw .usage(
        "\(Option.store) cannot be \(scheme)://",
        hint: "give the path of an SQLite file, or postgresql://HOST/DATABASE")
    }
    guard !Self.hasPassword(text.dropFirst(scheme.utf8.count + 3)) else {
      throw .usage(
        "\(Option.store) has a password, which every user of this machine could read",
        hint: "put it into ~/.pgpass, a file that PGPASSFILE names, or the environment's PGPASSWORD")
    }
    self = .database(text)
  }

  /// What a path cannot begin with, because other programs mean something else by it.
  private static let prefixes = ["file:", "sqlite:", "sqlite3:", "jdbc:"]

  /// The name before `://`, in lowercase; nil in a path.
  private static func scheme(of text: String) throws(ToolError) -> String? {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts.first else { return nil }
    // Another program's address, such as `postgresql+asyncpg://`, may have a password, so it is not shown.
    guard !first.isEmpty, first.allSatisfy(\.isLetter) else {
      throw .usage(
        "\(Option.store) is another program's address",
        hint: "give the path of an SQLite file, or postgresql://HOST/DATABASE")
    }
    return first.lowercased()
  }

  /// Whether the text is a connection string without a scheme, such as `host=example.com dbname=push`.
  private static func hasKeywords(_ text: String) -> Bool {
    let words: Set = ["host", "hostaddr", "port", "dbname", "user", "password", "service"]
    let names = text.split(separator: "=").dropLast().compactMap { $0.split(separator: " ").last }
    return names.contains { words.contains($0.lowercased()) }
  }

  /// Whether a connection string, without its scheme, has a password, where libpq would find one.
  private static func hasPassword(_ text: Substring) -> Bool {
    // A password may have a slash or a question mark.
    let users = ["/", "?"].compactMap { (end: Character) -> Substring? in
      let authority = text.prefix { $0 != end }
      return authority.lastIndex(of: "@").map { authority.prefix(upTo: $0) }
    }
    let query = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
    let names = (query ?? "").split(separator: "&").map { $0.prefix { $0 != "=" }.lowercased() }
    // libpq reads percent-encoded names too, which nobody needs.
    return users.contains { $0.contains(":") }
      || names.contains { $0.hasSuffix("password") || $0.contains("%") }
  }

  /// Opens the store; a file that is missing is made only if the command `makes` one.
  ///
  /// Only with the row key are the devices of a sealed store read and written.
  func open(
    making makes: Bool = false, rowKey: RowKey? = nil, console: Console
  ) async throws(ToolError) -> any SealableStore {
    switch self {
    case .file(let path):
      return try await Self.openFile(at: path, making: makes, rowKey: rowKey, console: console)
    case .database(let address):
      return try await storing { () async throws(StoreError) in
        try await PostgresStore(connectionString: address, rowKey: rowKey)
      }
    }
  }

  /// Opens a store that must be an SQLite file; `purpose` says what cannot be done with a database.
  func openFile(for purpose: String, hint: String, console: Console) async throws(ToolError) -> SQLiteStore {
    guard case .file(let path) = self else { throw .usage("\(purpose) is for SQLite files", hint: hint) }
    return try await Self.openFile(at: path, making: false, rowKey: nil, console: console)
  }

  private static func openFile(
    at path: String, making makes: Bool, rowKey: RowKey?, console: Console
  ) async throws(ToolError) -> SQLiteStore {
    let isThere = FileStatus(at: path, isFollowingLinks: true) != nil
    guard isThere || makes else {
      throw ToolError(
        .noInput, "there is no store at \(path)", hint: "sealpushd work and sealpushd enqueue make one")
    }
    let store = try await storing { () async throws(StoreError) in
      try await SQLiteStore(path: path, rowKey: rowKey)
    }
    if !isThere { console.note("made \(path), an empty store") }
    return store
  }
}

extension Parameter {
  /// Where the store is.
  static let store = Parameter.required(
    .store, "the store: an SQLite file, or postgresql://HOST/DATABASE without a password")
}

/// Does what a store may refuse, and says in the tool's words why.
func storing<Value>(_ work: () async throws(StoreError) -> Value) async throws(ToolError) -> Value {
  do throws(StoreError) {
    return try await work()
  } catch {
    throw error.toolError
  }
}

extension StoreError {
  /// What to do about a connection that libpq or the server does not make; nil if its own words say it.
  private static func remedy(for reason: String) -> String? {
    if reason.contains("password") {
      return
        "write HOST:PORT:DATABASE:USER:PASSWORD into ~/.pgpass, or the file that PGPASSFILE names, with mode 0600"
    }
    guard reason.contains("certificate") else {
      // libpq's words for a server without TLS.
      guard reason.contains("server does not support SSL") else { return nil }
      return "in a network that is yours alone, add ?sslmode=disable to the address to connect without TLS"
    }
    return "PGSSLROOTCERT names the certificates to trust, such as /etc/ssl/certs/ca-certificates.crt"
  }

  /// The error as the tool reports it.
  var toolError: ToolError {
    switch self {
    case .cannotOpen: ToolError(.cannotCreate, description)
    case .exposed:
      ToolError(
        .noPermission, description,
        hint:
          "chmod o-w what all users can write, or run the command as the store's owner; a group may share file and folder"
      )
    case .replaced:
      ToolError(.pending, description, hint: "start it again: it opens the file that is there now")
    case .busy: ToolError(.pending, description, hint: "try again; nothing was changed")
    case .full: ToolError(.cannotCreate, description, hint: "make room; what was stored before is not lost")
    case .readOnly:
      ToolError(
        .noPermission, description,
        hint: "an SQLite store's user needs write access to the file and its folder")
    case .corrupt:
      ToolError(
        .badData, description,
        hint:
          "check the path; sealpushd store check names the devices at fault; sealpushd store backup makes backups"
      )
    case .notAStore, .newerVersion: ToolError(.badData, description)
    case .rowKey(.missing, _): ToolError(.noPermission, description, hint: "\(Option.rowKey) FILE names it")
    case .rowKey(.other, _):
      ToolError(
        .noPermission, description, hint: "sealpushd store seal --help explains how to change the key")
    case .rowKey(.unsealed, _):
      ToolError(
        .badData, description, hint: "sealpushd store seal --store PLACE \(Option.rowKey) FILE seals them")
    case .unreachable(_, let reason): ToolError(.pending, description, hint: Self.remedy(for: reason))
    case .failed: ToolError(.failed, description)
    }
  }
}

extension Option<String> {
  static var store: Self { Self("--store", "PLACE", file: .input) }
}
