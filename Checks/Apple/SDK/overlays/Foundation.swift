// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What Swift's own module Foundation adds. https://developer.apple.com/documentation/foundation: NAME is at
// …/foundation/NAME, in lower case.
@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch
@_exported import Foundation
@_exported import ObjectiveC

public typealias TimeInterval = Double

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var helpAnchor: String? { get }
  var recoverySuggestion: String? { get }
}

extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var helpAnchor: String? { nil }
  public var recoverySuggestion: String? { nil }
}

public protocol ContiguousBytes {
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}

extension Array: ContiguousBytes where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: ContiguousBytes where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}
extension UnsafeMutableRawBufferPointer: ContiguousBytes, DataProtocol {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(self))
  }
}
extension UnsafeRawBufferPointer: ContiguousBytes, DataProtocol {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(self)
  }
}

@frozen
public struct Data: Sendable, Hashable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
  ContiguousBytes, DataProtocol
{
  public typealias Index = Int
  public typealias SubSequence = Data

  public enum Deallocator { case none, free }
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  public init() {}
  public init<Bytes: Sequence>(_ bytes: Bytes) where Bytes.Element == UInt8 {}
  public init(bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) {}
  public init?(base64Encoded text: String, options: Base64DecodingOptions = []) {}
  public init?(base64Encoded text: Data, options: Base64DecodingOptions = []) {}
  public init(contentsOf url: URL, options: ReadingOptions = []) throws {}

  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(index: Int) -> UInt8 {
    get { 0 }
    set {}
  }
  public subscript(bounds: Range<Int>) -> Data {
    get { self }
    set {}
  }
  public func index(after index: Int) -> Int { index + 1 }
  public func index(before index: Int) -> Int { index - 1 }
  public mutating func replaceSubrange<Bytes: Collection>(_ range: Range<Int>, with bytes: Bytes)
  where Bytes.Element == UInt8 {}
  public mutating func resetBytes(in range: Range<Int>) {}
  public func base64EncodedData(options: Base64EncodingOptions = []) -> Data { self }
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { "" }
  @discardableResult
  public func copyBytes<Element>(to buffer: UnsafeMutableBufferPointer<Element>) -> Int { 0 }
  public func copyBytes(to buffer: UnsafeMutableRawBufferPointer) {}
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
  public mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows
    -> R
  {
    try body(UnsafeMutableRawBufferPointer(start: nil, count: 0))
  }

  // …/foundation/data/span: it is back-deployed.
  @available(macOS 10.14.4, iOS 12.2, watchOS 5.2, tvOS 12.2, *)
  public var span: Span<UInt8> {
    @_lifetime(borrow self) get { fatalError() }
  }
}

@frozen public struct URL: Sendable, Hashable {
  public init?(string: String) {}
  @available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
  public init?(string: String, encodingInvalidCharacters: Bool) {}
  public init(fileURLWithPath path: String) {}
  public var absoluteString: String { "" }
  public var path: String { "" }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public func path(percentEncoded: Bool = true) -> String { "" }
  public var pathExtension: String { "" }
  public var lastPathComponent: String { "" }
  public var standardizedFileURL: URL { self }
  public mutating func deleteLastPathComponent() {}
}

@frozen public struct Date: Sendable, Hashable {
  public init() {}
  public var timeIntervalSince1970: TimeInterval { 0 }
}

@frozen public struct UUID: Sendable, Hashable {
  public init() {}
  public var uuidString: String { "" }
}

public struct URLRequest: Sendable, Hashable {
  public typealias CachePolicy = NSURLRequest.CachePolicy
  public init(
    url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60
  ) {}
  public var url: URL?
  public var timeoutInterval: TimeInterval = 60
}

extension URLRequest {
  // …/foundation/urlrequest/setvalue(_:forhttpheaderfield:)
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
  // …/foundation/urlrequest/httpmethod, httpbody
  public var httpMethod: String? {
    get { nil }
    set {}
  }
  public var httpBody: Data? {
    get { nil }
    set {}
  }
}

extension URL {
  // …/foundation/url/documentsdirectory
  public static var documentsDirectory: URL { fatalError() }
}

extension URLSession {
  // …/foundation/urlsession/asyncbytes and …/foundation/urlsession/bytes(for:delegate:)
  public struct AsyncBytes: AsyncSequence, Sendable {
    public typealias Element = UInt8
    public struct AsyncIterator: AsyncIteratorProtocol {
      public mutating func next() async throws -> UInt8? { nil }
    }
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }
  public func bytes(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (AsyncBytes, URLResponse) { fatalError() }
  // …/foundation/urlsession/data(for:delegate:)
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
}

public struct URLError: Error, Sendable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var badURL: Code { Code(rawValue: -1000) }
    public static var badServerResponse: Code { Code(rawValue: -1011) }
  }
  public init(_ code: Code, userInfo: [String: Any] = [:]) {}
}

public struct CocoaError: Error, Sendable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var fileNoSuchFile: Code { Code(rawValue: 4) }
  }
  public init(_ code: Code, userInfo: [String: Any] = [:]) {}
}

extension NSNumber {
  public convenience init(value: Int) { self.init(integer: value) }
  public convenience init(value: Int64) { self.init(longLong: value) }
  public convenience init(value: Double) { self.init(double: value) }
  public convenience init(value: Bool) { self.init(bool: value) }
}

public func NSTemporaryDirectory() -> String { "" }

// …/foundation/nserror: any error is one.
extension NSError: Error {}
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }

// The values that stand for Objective-C's objects.
// https://developer.apple.com/documentation/swift/working-with-foundation-types
extension String: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> Self { fatalError() }
}
extension AnyHashable: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSObject { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSObject, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSObject, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSObject?) -> Self { fatalError() }
}
extension Data: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSData { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSData, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSData, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Self { fatalError() }
}
extension URL: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSURL { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSURL, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSURL, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> Self { fatalError() }
}
extension Date: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDate { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSDate, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSDate, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDate?) -> Self { fatalError() }
}
extension URLRequest: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSURLRequest { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSURLRequest, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSURLRequest, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURLRequest?) -> Self { fatalError() }
}
extension Array: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSArray { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> Self { fatalError() }
}
extension Dictionary: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDictionary { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> Self { fatalError() }
}
extension Set: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSSet { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSSet, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSSet, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSSet?) -> Self { fatalError() }
}
extension Int: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}
extension Double: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}
extension Bool: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Self { fatalError() }
}
