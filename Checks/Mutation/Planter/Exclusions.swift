import SwiftSyntax

/// Code that is never changed: code that does not run, code for other platforms, and texts for people.
enum Exclusions {
  /// Calls that trap on mistakes of ours, and calls that log.
  private static let calls: Set = [
    "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError", "log", "print",
  ]

  /// Members that describe a value, and arguments that describe an option or a command.
  private static let texts: Set = [
    "description", "debugDescription", "errorDescription", "customMirror", "summary", "details", "help",
  ]

  /// Attributes of functions that other modules compile: these modules do not see the switch.
  private static let inlinable: Set = [
    "inlinable", "_transparent", "_alwaysEmitIntoClient", "usableFromInline",
  ]

  /// The modules for other platforms.
  private static let absent: Set = [
    "Darwin", "CryptoKit", "Security", "CommonCrypto", "os", "UIKit", "AppKit", "SwiftUI", "ActivityKit",
    "ObjectiveC", "XCTest",
  ]

  static func isText(_ name: String) -> Bool { texts.contains(name) }

  static func isInlinable(_ attributes: AttributeListSyntax) -> Bool {
    attributes.contains {
      inlinable.contains($0.as(AttributeSyntax.self)?.attributeName.trimmedDescription ?? "")
    }
  }

  /// Whether a call is one of those, or tells the user about a step.
  static func isCall(_ call: FunctionCallExprSyntax) -> Bool {
    if let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text {
      return calls.contains(name)
    }
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self) else { return false }
    let owner = member.base?.trimmedDescription ?? ""
    return owner == "console" && member.declName.baseName.text == "note"
      || owner == "super" || owner.hasSuffix("logger") || member.declName.baseName.text == "init"
  }

  /// The clause of an `#if` that is compiled on this platform, if there is one.
  static func activeClause(_ node: IfConfigDeclSyntax) -> IfConfigClauseSyntax? {
    node.clauses.first { $0.condition.map(isTrue) ?? true }
  }

  private static func isTrue(_ condition: ExprSyntax) -> Bool {
    if let infix = condition.as(InfixOperatorExprSyntax.self) {
      let (left, right) = (isTrue(infix.leftOperand), isTrue(infix.rightOperand))
      return infix.operator.trimmedDescription == "&&" ? left && right : left || right
    }
    if let prefix = condition.as(PrefixOperatorExprSyntax.self) { return !isTrue(prefix.expression) }
    if let tuple = condition.as(TupleExprSyntax.self), let first = tuple.elements.first {
      return isTrue(first.expression)
    }
    guard let call = condition.as(FunctionCallExprSyntax.self) else {
      return condition.trimmedDescription == "DEBUG" || condition.trimmedDescription == "true"
    }
    let argument = call.arguments.trimmedDescription
    return switch call.calledExpression.trimmedDescription {
    case "canImport": !absent.contains(argument)
    case "os": argument == "Linux"
    case "swift", "compiler", "hasFeature", "hasAttribute": true
    case "arch": argument == "x86_64"
    default: false
    }
  }
}
