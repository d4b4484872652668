internal import PushCore
internal import PushKeys

extension Fault: CustomStringConvertible {
  /// The fault in words.
  public var description: String {
    switch self {
    case .refusal(let refusal, nil): "\(refusal)"
    case .refusal(let refusal, let seconds?): "\(refusal), retry after \(seconds) s"
    case .latency(let duration): "an answer after \(duration)"
    case .transport(let fault): "\(fault)"
    }
  }
}

extension TransportFault: CustomStringConvertible {
  /// The fault in words.
  public var description: String {
    switch self {
    case .refuseStream: "the stream was refused"
    case .reset(.beforeProcessing): "the stream was reset before the push was taken"
    case .reset(.beforeAnswer): "the stream was reset in place of the answer"
    case .reset(.duringAnswer): "the stream was reset during the answer"
    case .goAwayGracefully: "GOAWAY, after which the streams were finished"
    case .goAwayAbruptly: "GOAWAY, and the connection was closed"
    case .cut: "the connection was cut"
    case .stall: "the server fell silent"
    case .slowReading(let duration): "the server read nothing for \(duration)"
    case .streamLimit(let limit): "\(limit) streams at a time"
    }
  }
}

extension FaultScript.Line: CustomStringConvertible {
  /// The fault, and the requests that it happens to.
  package var description: String {
    let device = token.map { " to \($0.text)" } ?? ""
    return switch occasion {
    case .next(let count): "\(fault): the next \(count)\(device)"
    case .each(let count): "\(fault): every \(count)\(device)"
    case .all: "\(fault): all\(device)"
    }
  }
}
