internal import PushCommands
internal import PushDelivery
private import Glibc

/// What `--proxy` says.
enum ProxyChoice: Sendable {
  /// No proxy, whatever the environment says.
  case noProxy
  /// This one, and not the environment's.
  case proxy(HTTPProxy)
}

extension Option<ProxyChoice> {
  static var proxy: Self {
    Self("--proxy", "URL") { (text, name) throws(ToolError) in
      guard text != "none" else { return .noProxy }
      let proxy: HTTPProxy
      do throws(HTTPProxyError) {
        proxy = try HTTPProxy(url: text)
      } catch {
        throw .usage("\(name): \(error)")
      }
      guard !proxy.hasCredentials else {
        throw .usage(
          "\(name) takes no user and no password: every user of this machine can see arguments",
          hint: "put the URL into the environment, as HTTPS_PROXY")
      }
      return .proxy(proxy)
    }
  }
}

extension APNsConfiguration {
  /// Goes through the proxy of `--proxy`, or else of the environment, but for what the environment excepts.
  mutating func useProxy(from arguments: Arguments) throws(ToolError) {
    defer { ProxyVariable.wipe() }
    proxyExceptions = ProxyExceptions(ProxyVariable.exceptions?.text ?? "")
    switch try arguments[.proxy] {
    case .noProxy: break
    case .proxy(let given): proxy = given
    case nil: proxy = try ProxyVariable.proxy?.read()
    }
  }
}

/// A variable of the environment about proxies, which other programs read as well.
@safe
private struct ProxyVariable {
  /// The variable's name.
  private let name: String
  private let value: UnsafeMutablePointer<CChar>

  /// The names of the variable that has the proxy; the first of them that is set and not empty counts, as it does for curl.
  private static let proxyNames = ["https_proxy", "HTTPS_PROXY"]

  /// The proxy.
  static var proxy: ProxyVariable? { first(of: proxyNames) }

  /// The servers that are reached without it.
  static var exceptions: ProxyVariable? { first(of: ["no_proxy", "NO_PROXY"]) }

  private static func first(of names: [String]) -> ProxyVariable? {
    names.lazy.compactMap(ProxyVariable.init).first
  }

  private init?(name: String) {
    guard let value = unsafe getenv(name), unsafe value[0] != 0 else { return nil }
    self.name = name
    unsafe self.value = unsafe value
  }

  /// The value.
  var text: String { unsafe String(cString: value) }

  /// The proxy that it names.
  func read() throws(ToolError) -> HTTPProxy {
    let count = unsafe strlen(value)
    do throws(HTTPProxyError) {
      return try unsafe value.withMemoryRebound(to: UInt8.self, capacity: count) {
        bytes throws(HTTPProxyError) in
        try HTTPProxy(url: unsafe Span(_unsafeStart: bytes, count: count))
      }
    } catch {
      throw .usage("the environment's \(name): \(error)")
    }
  }

  /// Takes passwords out of the environment, where crash reports and debuggers would find them.
  static func wipe() {
    for variable in proxyNames.compactMap(ProxyVariable.init) {
      let count = unsafe strlen(variable.value)
      guard unsafe memchr(variable.value, CInt(UInt8(ascii: "@")), count) != nil else { continue }
      unsafe explicit_bzero(variable.value, count)
    }
  }
}
