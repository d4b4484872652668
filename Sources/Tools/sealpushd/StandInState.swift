internal import PushCommands
internal import PushCore
private import PushKeys
internal import PushNetwork
internal import PushStandIn

/// What a stand-in keeps from one start to the next, in the file of `--state`: its root, the page's token and the phones'
/// tokens.
struct StandInState {
  let authority: CertificateAuthority
  let page: PageToken
  private var phones: [String: [TokenKind: DeviceToken]] = [:]

  /// Makes a state that nobody has had.
  init() { (authority, page) = (CertificateAuthority(), .random()) }

  private init?(parsing bytes: Span<UInt8>) {
    guard let object = try? JSONObject(parsing: bytes), let root = object["root"]?.string,
      let authority = try? CertificateAuthority(secrets: Array(root.utf8)),
      let page = object["page"]?.string.flatMap(PageToken.init), let phones = object["phones"]?.object
    else { return nil }
    (self.authority, self.page) = (authority, page)
    for phone in phones {
      guard let tokens = Self.tokens(in: phone.value) else { return nil }
      self.phones[phone.key] = tokens
    }
  }

  /// The state in a file, to which only its owner may have access; a new one if there is none.
  static func kept(in path: String) throws(ToolError) -> StandInState {
    let state: StandInState?
    do throws(ToolError) {
      state = StandInState(parsing: try FormatSecret(path: path).bytes)
    } catch {
      guard error.status == .noInput else { throw error }
      return StandInState()
    }
    guard let state else {
      throw ToolError(
        .badData, "\(path) is not what a stand-in keeps", hint: "give another file, or remove it")
    }
    return state
  }

  /// The tokens that a phone had; none if it is new.
  subscript(phone: String) -> [TokenKind: DeviceToken] { phones[phone] ?? [:] }

  /// Writes the file, with the tokens of these phones and of those that it has already.
  func write(to path: String, phones: [StandInPhone]) throws(ToolError) {
    var all = self.phones
    for phone in phones { all[phone.name] = phone.allTokens }
    var members: JSONObject = [:]
    for (name, tokens) in all {
      var texts: JSONObject = [:]
      for (kind, token) in tokens { texts[kind.rawValue] = .string(token.text) }
      members[name] = .object(texts)
    }
    let object: JSONObject = [
      "root": .string(String(decoding: authority.secrets, as: UTF8.self)), "page": .string(page.text),
      "phones": .object(members),
    ]
    do throws(KeyFileError) {
      try OutputFile(path: path).writeKey(object.encoded().span, isReplacing: true)
    } catch {
      throw ToolError(.cannotCreate, "\(error)")
    }
  }

  /// A phone's tokens by kind; nil if a kind or a token is none.
  private static func tokens(in value: JSONValue) -> [TokenKind: DeviceToken]? {
    guard let object = value.object else { return nil }
    var tokens: [TokenKind: DeviceToken] = [:]
    for member in object {
      guard let kind = TokenKind(rawValue: member.key),
        let token = member.value.string.flatMap({ try? DeviceToken($0) })
      else { return nil }
      tokens[kind] = token
    }
    return tokens
  }
}
